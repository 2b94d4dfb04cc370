//! How types are written as XML: the `xml` objects of schemas.
//!
//! Reads the schemas that `scan` noted; writes one row each and the column `xml`. What is malformed is reported (TG0303).
//! No body is written as XML from these; they are kept for whoever does.

use base::{Code, Id, Sym};
use base_doc::{DocId, Kind, NodeId, NodeRef, Value};
use tungsten_ir::{Xml, XmlNode};

use crate::keywords as kw;
use crate::lower::Lowering;
use crate::params::meant;

const NODES: [(&str, XmlNode); 5] = [
    ("element", XmlNode::Element),
    ("attribute", XmlNode::Attribute),
    ("text", XmlNode::Text),
    ("cdata", XmlNode::Cdata),
    ("none", XmlNode::None),
];

/// Adds the hints of the types of one namespace. `with_xml`: by document, the schemas that have some.
pub(crate) fn hints(lower: &mut Lowering<'_>, with_xml: &[Vec<NodeId>]) {
    for (index, schemas) in with_xml.iter().enumerate() {
        for &node in schemas {
            let at = NodeRef { doc: DocId::from_index(index), node };
            let Some(ty) = lower.existing_type(at) else { continue };
            let Some(xml) = lower.docs.value(at).get(kw::XML) else { continue };
            if xml.kind() != Kind::Object {
                let message = format!("`xml` is {}, not an object; it is ignored", xml.kind().phrase());
                lower.report(Code::TG0303, xml, message);
                continue;
            }
            let row = read(lower, xml);
            let row = lower.ir.types.xml.push(row);
            lower.ir.xml.set(ty, Some(row));
        }
    }
}

fn read<'a>(lower: &mut Lowering<'a>, xml: Value<'a>) -> Xml {
    let text = |lower: &mut Lowering<'a>, key: Sym| xml.get(key).and_then(Value::as_str).map(|text| lower.name(text));
    let is_on = |key: Sym| xml.get(key).and_then(Value::as_bool) == Some(true);
    let stated = xml.get(kw::NODE_TYPE);
    let known = stated.and_then(Value::as_str).and_then(|text| NODES.iter().find(|(name, _)| *name == text));
    if let (Some(stated), None) = (stated, known)
        && let Some(word) = stated.as_str()
    {
        let message = format!("there is no node type {}; it follows from the type", base::diag::quoted(word));
        let help = meant(word, &NODES.map(|(name, _)| name));
        lower.report(Code::TG0303, stated, message).help = help;
    }
    let node = known.map(|(_, node)| *node);
    Xml {
        name: text(lower, kw::NAME),
        namespace: text(lower, kw::NAMESPACE),
        prefix: text(lower, kw::PREFIX),
        node: node
            .or_else(|| is_on(kw::ATTRIBUTE).then_some(XmlNode::Attribute))
            .or_else(|| is_on(kw::WRAPPED).then_some(XmlNode::Element)),
    }
}
