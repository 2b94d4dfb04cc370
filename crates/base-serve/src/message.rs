//! Requests as handlers see them, and what they can answer.

use std::time::Duration;

/// A request without its body.
#[derive(Clone, Debug)]
pub struct Head {
    /// Upper case.
    pub method: String,
    /// As sent, still percent-encoded.
    pub path: String,
    /// As sent, without the `?`; empty when there is none.
    pub query: String,
    /// Lower-case names, in the order of arrival; values that are not UTF-8 are replaced.
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// The first header of that (lower-case) name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A whole request.
#[derive(Clone, Debug)]
pub struct Request {
    pub head: Head,
    pub body: Vec<u8>,
}

/// What a handler does with a request.
#[derive(Clone, Debug)]
pub enum Answer {
    Respond(Response),
    /// Closes the connection without a word, after the delay.
    Drop {
        after: Duration,
    },
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self::Respond(response)
    }
}

#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// Invalid names and values are left out.
    pub headers: Vec<(String, String)>,
    pub body: Body,
    /// Closes the connection after the answer.
    pub close: bool,
}

impl Response {
    pub fn new(status: u16, headers: Vec<(String, String)>, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers, body: Body::Whole(body.into()), close: false }
    }

    pub fn json(status: u16, text: impl Into<Vec<u8>>) -> Self {
        Self::new(status, vec![("content-type".to_owned(), "application/json".to_owned())], text)
    }

    pub fn text(status: u16, text: impl Into<Vec<u8>>) -> Self {
        Self::new(status, vec![("content-type".to_owned(), "text/plain; charset=utf-8".to_owned())], text)
    }
}

#[derive(Clone, Debug)]
pub enum Body {
    /// Sent with its length.
    Whole(Vec<u8>),
    /// Sent piece by piece, chunked.
    Pieces(Vec<Piece>, Ending),
}

/// A part of a body and the wait before it.
#[derive(Clone, Debug)]
pub struct Piece {
    pub after: Duration,
    pub bytes: Vec<u8>,
}

/// How a body of pieces ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// As HTTP says.
    Clean,
    /// The connection breaks.
    Break,
    /// Silence for this long, then the connection breaks.
    Stall(Duration),
}
