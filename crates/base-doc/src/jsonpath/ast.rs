//! What a query says: plain data, made by `parse` and read by `eval`. Its depth is bounded by the parser.

/// A way from the root of the document, or from the value that a filter looks at.
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub(super) is_absolute: bool,
    pub(super) segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// `..`: the selectors apply to each value and to all in it.
    pub(super) descends: bool,
    pub(super) selectors: Vec<Selector>,
}

#[derive(Clone, Debug)]
pub(super) enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice { start: Option<i64>, end: Option<i64>, step: i64 },
    Filter(Test),
}

/// A logical expression.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Any(Vec<Test>),
    All(Vec<Test>),
    Not(Box<Test>),
    Exists(Query),
    Compare(Operand, Comparison, Operand),
    /// `match` (the whole text) or `search` (anywhere in it).
    Matches {
        text: Box<Operand>,
        pattern: Box<Operand>,
        is_whole: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Something that is one value or none.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Null,
    Bool(bool),
    /// JSON's spelling.
    Number(String),
    String(String),
    /// At most one value: the way has only names and indexes.
    Singular(Query),
    Length(Box<Operand>),
    Count(Query),
    /// The value of a query that selects exactly one.
    Value(Query),
}

impl Query {
    /// Whether the query selects at most one value (RFC 9535, section 2.3.5.1).
    pub(super) fn is_singular(&self) -> bool {
        let one = |segment: &Segment| {
            !segment.descends && matches!(segment.selectors.as_slice(), [Selector::Name(_) | Selector::Index(_)])
        };
        self.segments.iter().all(one)
    }
}
