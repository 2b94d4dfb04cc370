use tungsten_frontend::*;
use tungsten_ir::*;
struct Disk(String);
impl Loader for Disk {
    fn load(&self, path: &str) -> Result<base::Source, LoadError> {
        match std::fs::read(format!("{}/{}", self.0, path)) {
            Ok(bytes) => Ok(base::Source::from_bytes(path, bytes)),
            Err(_) => Err(LoadError::NotFound),
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let root = "/work/shared/corpus";
    let full = std::path::Path::new(&args[1]);
    let spec = full.strip_prefix(root).unwrap();
    let first = spec.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    let loader = Disk(format!("{root}/{first}"));
    let spec = spec.strip_prefix(&first).unwrap().to_string_lossy().into_owned();
    let request = Request { api_name: "x".into(), inputs: vec![InputRequest { namespace: "x".into(), spec }], ..Request::default() };
    let start = std::time::Instant::now();
    let compiled = compile(&request, &loader);
    let took = start.elapsed();
    let diags = compiled.diags.clone().finish(&compiled.sources);
    let mut counts = std::collections::BTreeMap::new();
    for d in &diags { *counts.entry(d.code).or_insert(0) += 1; }
    eprintln!("{} {:?} ops {} types {} {:?}", args[1], took, compiled.stats.n_ops, compiled.stats.n_types, counts);
    let mode = args.get(2).map(String::as_str).unwrap_or("");
    if mode == "diags" {
        for d in &diags { if args.get(3).is_none_or(|c| c == d.code.name()) { println!("{} {} {} {}", d.code, d.place.file_name(&compiled.sources), d.place.pointer, d.message); } }
    }
    let Some(ir) = &compiled.ir else { return };
    if mode == "tree" {
        for (_, ns) in ir.namespaces.iter() {
            let mut stack: Vec<(ResourceId, String)> = ir.resources.resource_refs.slice(ns.resources).iter().rev().map(|r| (*r, String::new())).collect();
            while let Some((id, above)) = stack.pop() {
                let r = &ir.resources.rows[id];
                let path = format!("{above}{}.", ir.names.resolve(r.name));
                for &op in ir.resources.op_refs.slice(r.ops) {
                    let o = &ir.ops.rows[op];
                    println!("{path}{} = {} {} [{}]", ir.names.resolve(ir.op_name[op].unwrap()), o.method.name(), ir.names.resolve(o.path.raw), ir.names.resolve(o.local_id));
                }
                for &c in ir.resources.resource_refs.slice(r.children).iter().rev() { stack.push((c, path.clone())); }
            }
        }
    }
}
