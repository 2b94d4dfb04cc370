//! Requests as they arrive, and answers as bytes. Reads a stream to the end of one request; what is sent, and whether it
//! is whole, is decided by `server`. Small on purpose: it reads what clients send, and can write what no server should.

use std::io::{self, Read};

use serde_json::Value;

use crate::base64;
use crate::scenario::{Answer, Framing, Headers};

/// Most bytes of a head or a body: a client that sends more is broken.
const MAX_BYTES: usize = 4 << 20;

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub server: String,
    pub method: String,
    pub target: String,
    /// Lower-case names, in their order.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Arrived {
    /// The values of a header, joined as one line.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> =
            self.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Bytes of one connection that were read and not used yet.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    fn fill(&mut self, stream: &mut impl Read) -> io::Result<()> {
        let mut part = [0; 16 << 10];
        let n = stream.read(&mut part)?;
        if n == 0 || self.bytes.len() + n > MAX_BYTES {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.bytes.extend_from_slice(&part[..n]);
        Ok(())
    }

    fn take(&mut self, stream: &mut impl Read, n: usize) -> io::Result<Vec<u8>> {
        while self.bytes.len() < n {
            self.fill(stream)?;
        }
        Ok(self.bytes.drain(..n).collect())
    }

    fn take_to(&mut self, stream: &mut impl Read, end: &[u8]) -> io::Result<Vec<u8>> {
        loop {
            if let Some(at) = self.bytes.windows(end.len()).position(|window| window == end) {
                let taken = self.bytes.drain(..at + end.len()).collect::<Vec<u8>>();
                return Ok(taken[..at].to_vec());
            }
            self.fill(stream)?;
        }
    }

    /// Reads the head of a request; its body is empty then.
    pub fn head(&mut self, stream: &mut impl Read, server: &str) -> io::Result<Arrived> {
        let head = self.take_to(stream, b"\r\n\r\n")?;
        let text = String::from_utf8_lossy(&head).into_owned();
        let mut lines = text.split("\r\n");
        let mut words = lines.next().unwrap_or_default().splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        let (method, target) = (word(), word());
        let headers = lines
            .map(|line| line.split_once(':').unwrap_or((line, "")))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Ok(Arrived { server: server.to_owned(), method, target, headers, body: Vec::new() })
    }

    /// Reads the body that a head announces.
    pub fn body(&mut self, stream: &mut impl Read, head: &Arrived) -> io::Result<Vec<u8>> {
        if head.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            return self.chunked(stream);
        }
        let length = head.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        self.take(stream, length)
    }

    fn chunked(&mut self, stream: &mut impl Read) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.take_to(stream, b"\r\n")?;
            let text = String::from_utf8_lossy(&line).into_owned();
            let size = usize::from_str_radix(text.split(';').next().unwrap_or_default().trim(), 16)
                .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            body.extend(self.take(stream, size)?);
            self.take_to(stream, b"\r\n")?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
}

/// The body of an answer that is not in pieces.
pub fn body_of(answer: &Answer) -> Vec<u8> {
    let json = answer.json.as_ref().map(|value| value.to_string().into_bytes());
    let text = || answer.text.as_ref().map(|text| text.clone().into_bytes());
    let bytes = || answer.bytes.as_deref().and_then(base64::decode);
    json.or_else(text).or_else(bytes).unwrap_or_default()
}

/// The head of an answer, the empty line included. `method` is that of the request.
pub fn head_of(answer: &Answer, n_bytes: usize, method: &str) -> String {
    let status = answer.status.unwrap_or(200);
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    let mut line = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
    let has = |name: &str| answer.headers.keys().any(|key| key.eq_ignore_ascii_case(name));
    for (name, value) in lines(&answer.headers) {
        line(name, value);
    }
    let default_type = [(answer.json.is_some(), "application/json"), (answer.text.is_some(), "text/plain")];
    if let Some((_, media)) = default_type.iter().find(|(there, _)| *there)
        && !has("content-type")
    {
        line("content-type", media);
    }
    match answer.framing {
        _ if has("content-length") || has("transfer-encoding") => {}
        Framing::Chunked => line("transfer-encoding", "chunked"),
        Framing::Close => {}
        Framing::Length if status == 204 || status == 304 || (method == "HEAD" && answer.content_length.is_none()) => {}
        Framing::Length => line("content-length", &answer.content_length.unwrap_or(n_bytes as u64).to_string()),
    }
    if !answer.keep_alive && !has("connection") {
        line("connection", "close");
    }
    head.push_str("\r\n");
    head
}

/// The head of an informational answer.
pub fn informational(status: u16, headers: &Headers) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in lines(headers) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head
}

/// Header lines; a list stands for several lines of one name.
fn lines(headers: &Headers) -> impl Iterator<Item = (&str, &str)> {
    headers.iter().flat_map(|(name, value)| {
        let values: Vec<&str> = match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        values.into_iter().map(move |value| (name.as_str(), value))
    })
}

/// One piece of a chunked body.
pub fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_whatever_their_framing() {
        let mut wire: &[u8] = b"POST /a?b HTTP/1.1\r\nX-A: 1\r\nx-a: 2\r\nTransfer-Encoding: chunked\r\n\r\n\
            3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";
        let mut buffer = Buffer::default();
        let first = buffer.head(&mut wire, "main").expect("a head");
        assert_eq!((first.method.as_str(), first.target.as_str()), ("POST", "/a?b"));
        assert_eq!(first.header("x-a").as_deref(), Some("1, 2"));
        assert_eq!(buffer.body(&mut wire, &first).expect("a body"), b"abcde");
        let second = buffer.head(&mut wire, "main").expect("a head");
        assert_eq!(second.method, "GET");
        assert_eq!(buffer.body(&mut wire, &second).expect("no body"), b"");
        assert!(buffer.head(&mut wire, "main").is_err());
    }

    #[test]
    fn heads_state_what_the_answer_says() {
        let answer = Answer { status: Some(200), text: Some("abc".to_owned()), ..Answer::default() };
        let head = head_of(&answer, 3, "GET");
        assert_eq!(
            head,
            "HTTP/1.1 200 Scripted\r\ncontent-type: text/plain\r\ncontent-length: 3\r\nconnection: close\r\n\r\n"
        );
        let lying = Answer { content_length: Some(9), keep_alive: true, ..answer };
        assert!(head_of(&lying, 3, "GET").contains("content-length: 9\r\n\r\n"));
    }
}
