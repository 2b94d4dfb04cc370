use tungsten_frontend::*;
struct Disk(std::path::PathBuf);
impl Loader for Disk {
    fn load(&self, path: &str) -> Result<base::Source, LoadError> {
        let b = std::fs::read(self.0.join(path)).map_err(|_| LoadError::NotFound)?;
        Ok(base::Source::from_bytes(path, b))
    }
    fn name(&self, path: &str) -> String { path.to_owned() }
}
fn main() {
    for arg in std::env::args().skip(1) {
        let p = std::path::Path::new(&arg);
        let request = Request { api_name: "x".into(), inputs: vec![InputRequest { namespace: "api".into(), spec: p.file_name().unwrap().to_string_lossy().into_owned() }], ..Request::default() };
        let t = std::time::Instant::now();
        let c = compile(&request, &Disk(p.parent().unwrap().to_owned()));
        let el = t.elapsed();
        let Some(ir) = c.ir else { println!("{arg}: none"); continue };
        let n = ir.types.rows.ids().filter(|t| !ir.types.judged[*t].rules.is_empty()).count();
        let ex = ir.types.rows.ids().filter(|t| ir.types.judged[*t].exclusive).count();
        let inf = ir.types.rows.ids().filter(|t| ir.types.judged[*t].inferred).count();
        let named_ruled = ir.types.named.iter().filter(|t| !ir.types.judged[**t].rules.is_empty()).count();
        let count = |c2| c.diags.iter().filter(|d| d.code == c2).count();
        println!("{arg}: types {} ruled {n} (named {named_ruled}) rows {} exclusive {ex} inferred {inf} TG0303 {} TG0110 {} {el:?}", ir.types.rows.len(), ir.types.rules.rows.len(), count(base::Code::TG0303), count(base::Code::TG0110));
    }
}
