//! The imports of one file: only what was asked for, sorted, each under a name that is free.
//!
//! Modules and names are trusted text: constants and names of a naming profile. Reserved words and where a module lies
//! are left to the caller.

use std::collections::{BTreeMap, BTreeSet};

use crate::lang::ImportStyle;
use crate::layout::{Doc, Page, typescript};

/// Imports collected while a file is written.
#[derive(Clone, Default, Debug)]
pub struct Imports {
    modules: BTreeMap<Key, Module>,
    /// Local names that are taken, by imports and by [`Imports::reserve`].
    taken: BTreeSet<String>,
}

/// Packages come before files of the same package, each in the order of their text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    local: bool,
    module: String,
}

#[derive(Clone, Default, Debug)]
struct Module {
    /// Exported name to its local name and use.
    names: BTreeMap<String, Binding>,
    /// The whole module under one name.
    whole: Option<Binding>,
}

#[derive(Clone, Debug)]
struct Binding {
    local: String,
    /// Used in types only.
    type_only: bool,
}

impl Imports {
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a name of the file itself free: an import of the same name gets another one. Call before importing.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Imports a value; returns its local name, the same for each call.
    pub fn import(&mut self, module: &str, name: &str) -> String {
        self.named(module, name, false)
    }

    /// Imports a name that is used in types only. It becomes a value import when it is imported as a value too.
    pub fn import_type(&mut self, module: &str, name: &str) -> String {
        self.named(module, name, true)
    }

    /// Imports a whole module under a name near `local`.
    pub fn import_all(&mut self, module: &str, local: &str) -> String {
        self.whole(module, local, false)
    }

    /// Imports a whole module under a name near `local`, for types only.
    pub fn import_all_type(&mut self, module: &str, local: &str) -> String {
        self.whole(module, local, true)
    }

    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    fn named(&mut self, module: &str, name: &str, type_only: bool) -> String {
        let entry = self.modules.entry(Key::new(module)).or_default();
        if let Some(binding) = entry.names.get_mut(name) {
            binding.type_only &= type_only;
            return binding.local.clone();
        }
        let local = free_name(&mut self.taken, name);
        entry.names.insert(name.to_owned(), Binding { local: local.clone(), type_only });
        local
    }

    fn whole(&mut self, module: &str, local: &str, type_only: bool) -> String {
        let entry = self.modules.entry(Key::new(module)).or_default();
        if let Some(binding) = &mut entry.whole {
            binding.type_only &= type_only;
            return binding.local.clone();
        }
        let local = free_name(&mut self.taken, local);
        entry.whole = Some(Binding { local: local.clone(), type_only });
        local
    }

    /// Writes the imports, a line end behind each; nothing when there are none.
    pub fn print(&self, style: ImportStyle, page: Page, out: &mut String) {
        match style {
            ImportStyle::TypeScript => self.print_typescript(page, out),
            ImportStyle::Python => self.print_python(out),
            ImportStyle::Rust => self.print_rust(out),
            ImportStyle::Go => self.print_go(out),
        }
    }

    fn print_typescript(&self, page: Page, out: &mut String) {
        let mut doc = Doc::new();
        for (Key { module, .. }, entry) in &self.modules {
            if let Some(Binding { local, type_only }) = &entry.whole {
                let kind = if *type_only { "import type" } else { "import" };
                out.push_str(&format!("{kind} * as {local} from \"{module}\";\n"));
            }
            if entry.names.is_empty() {
                continue;
            }
            let all_types = entry.names.values().all(|binding| binding.type_only);
            doc.clear();
            doc.text(if all_types { "import type " } else { "import " });
            typescript::names(&mut doc, &entry.names, |doc, (name, binding)| {
                if binding.type_only && !all_types {
                    doc.text("type ");
                }
                doc.text(renamed(name, " as ", &binding.local));
            });
            doc.text(format_args!(" from \"{module}\";"));
            doc.print(out, page, 0, 0);
            out.push('\n');
        }
    }

    fn print_python(&self, out: &mut String) {
        for (Key { module, .. }, entry) in &self.modules {
            if let Some(Binding { local, .. }) = &entry.whole {
                out.push_str(&format!("import {}\n", renamed(module, " as ", local)));
            }
            if !entry.names.is_empty() {
                out.push_str(&format!("from {module} import {}\n", entry.list(" as ")));
            }
        }
    }

    fn print_rust(&self, out: &mut String) {
        for (Key { module, .. }, entry) in &self.modules {
            if let Some(Binding { local, .. }) = &entry.whole {
                let last = module.rsplit("::").next().unwrap_or(module);
                let rename = if last == local { String::new() } else { format!(" as {local}") };
                out.push_str(&format!("use {module}{rename};\n"));
            }
            match entry.names.len() {
                0 => {}
                1 => out.push_str(&format!("use {module}::{};\n", entry.list(" as "))),
                _ => out.push_str(&format!("use {module}::{{{}}};\n", entry.list(" as "))),
            }
        }
    }

    /// Go names what it imports through the package, so only whole imports mean anything here.
    fn print_go(&self, out: &mut String) {
        if self.modules.is_empty() {
            return;
        }
        out.push_str("import (\n");
        for (Key { module, .. }, entry) in &self.modules {
            let last = module.rsplit('/').next().unwrap_or(module);
            match &entry.whole {
                Some(binding) if binding.local != last => out.push_str(&format!("\t{} \"{module}\"\n", binding.local)),
                _ => out.push_str(&format!("\t\"{module}\"\n")),
            }
        }
        out.push_str(")\n");
    }
}

impl Key {
    fn new(module: &str) -> Self {
        debug_assert!(!module.contains(['"', '\\', '\n']), "a module is a trusted path: {module:?}");
        Self { local: module.starts_with('.') || module.starts_with("crate"), module: module.to_owned() }
    }
}

impl Module {
    fn list(&self, rename: &str) -> String {
        let names: Vec<String> =
            self.names.iter().map(|(name, binding)| renamed(name, rename, &binding.local)).collect();
        names.join(", ")
    }
}

fn renamed(name: &str, rename: &str, local: &str) -> String {
    if name == local { name.to_owned() } else { format!("{name}{rename}{local}") }
}

/// The name, or the name with the lowest number from 2 that makes it free.
fn free_name(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        free = format!("{name}{number}");
        number += 1;
    }
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::Imports;
    use crate::lang::ImportStyle;
    use crate::layout::Page;

    #[track_caller]
    fn check(imports: &Imports, style: ImportStyle, expect: &str) {
        let mut out = String::new();
        imports.print(style, Page { width: 80, indent: "  ", indent_width: 2 }, &mut out);
        assert_eq!(out, expect);
    }

    #[test]
    fn typescript_imports_are_sorted_and_renamed_when_a_name_is_taken() {
        let mut imports = Imports::new();
        imports.reserve("Pet");
        assert_eq!(imports.import_type("./models.js", "Pet"), "Pet2");
        assert_eq!(imports.import_type("./models.js", "Pet"), "Pet2");
        assert_eq!(imports.import_type("./models.js", "Dog"), "Dog");
        assert_eq!(imports.import("runtime", "call"), "call");
        assert_eq!(imports.import_type("runtime", "Result"), "Result");
        assert_eq!(imports.import_type("runtime", "call"), "call");
        assert_eq!(imports.import_all("zod", "z"), "z");
        assert_eq!(imports.import_all_type("zod", "z"), "z");
        assert_eq!(imports.import_all_type("./all.js", "all"), "all");
        check(
            &imports,
            ImportStyle::TypeScript,
            "import { type Result, call } from \"runtime\";\nimport * as z from \"zod\";\n\
             import type * as all from \"./all.js\";\nimport type { Dog, Pet as Pet2 } from \"./models.js\";\n",
        );
    }

    #[test]
    fn other_languages() {
        let mut imports = Imports::new();
        imports.import("a.b", "C");
        imports.import("a.b", "D");
        imports.import_all("json", "json2");
        check(&imports, ImportStyle::Python, "from a.b import C, D\nimport json as json2\n");

        let mut imports = Imports::new();
        imports.import("serde", "Serialize");
        imports.import("std::fmt", "A");
        imports.import("std::fmt", "B");
        imports.import_all("crate::models", "models");
        imports.import_all("std::io", "io2");
        check(
            &imports,
            ImportStyle::Rust,
            "use serde::Serialize;\nuse std::fmt::{A, B};\nuse std::io as io2;\nuse crate::models;\n",
        );

        let mut imports = Imports::new();
        check(&imports, ImportStyle::Go, "");
        imports.import_all("net/http", "http");
        imports.import_all("encoding/json", "json2");
        check(&imports, ImportStyle::Go, "import (\n\tjson2 \"encoding/json\"\n\t\"net/http\"\n)\n");
    }
}
