//! The unit that whole commands are measured in: reading the same bytes with a library and nothing else.
//!
//! JSON files are parsed into `serde_json::Value`; YAML files are run through yaml-rust2's event parser, whose events
//! are counted. Prints a count so that nothing can be optimised away.

use yaml_rust2::parser::{Event, EventReceiver, Parser};

struct Count(u64);

impl EventReceiver for Count {
    fn on_event(&mut self, _: Event) {
        self.0 += 1;
    }
}

fn main() -> std::io::Result<()> {
    let mut count = 0;
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        if path.ends_with(".json") {
            let value: serde_json::Value = serde_json::from_slice(&bytes)?;
            count += value.as_object().map_or(0, serde_json::Map::len) as u64;
        } else {
            let text = String::from_utf8_lossy(&bytes);
            let mut events = Count(0);
            Parser::new_from_str(&text).load(&mut events, true).map_err(std::io::Error::other)?;
            count += events.0;
        }
    }
    println!("{count}");
    Ok(())
}
