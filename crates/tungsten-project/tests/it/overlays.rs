//! Overlays of a project on disk: whichever folder they lie in, they are applied, named and part of the inputs'
//! digests.

use tungsten_project::compile;

#[test]
fn overlays_are_applied_and_count_as_inputs() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("creatable");
        std::fs::write(path, text).expect("writable");
    };
    let overlay = |member: &str| {
        let head = "overlay: 1.0.0\ninfo: { title: t, version: v }\nactions:\n";
        format!("{head}- {{ target: $.info, update: {{ {member} }} }}\n")
    };
    write(
        "project/tungsten.yml",
        "tungsten: 1\napi: { name: bakery }\noverlays: [../shared/all.yaml]\ninputs:\n  - { namespace: public, spec: spec/openapi.yaml, overlays: [own.yaml] }\n",
    );
    write("project/spec/openapi.yaml", "openapi: 3.1.0\ninfo: { title: Bakery, version: 1.0.0 }\npaths: {}\n");
    write("project/own.yaml", &overlay("title: Own, version: 2.0.0"));
    write("shared/all.yaml", &overlay("title: All"));

    let compilation = compile(&dir.path().join("project")).expect("the world is in order");
    assert_eq!(compilation.diagnostics, []);
    let ir = compilation.ir.as_ref().expect("it compiles");
    let title = ir.api.title.map(|title| ir.text(title).untrusted());
    assert_eq!((title, ir.names.resolve(ir.api.version)), (Some("All"), "2.0.0"));
    let names: Vec<String> = compilation.input_digests().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["../shared/all.yaml", "own.yaml", "spec/openapi.yaml", "tungsten.yml"]);
    assert!(names.iter().all(|name| compilation.named_inputs().contains(name)));
}
