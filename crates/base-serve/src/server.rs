//! The server: a thread with a current-thread runtime, a task a connection.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited, combinators::BoxBody};
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, Sleep, sleep, timeout};

use crate::message::{Answer, Body, Ending, Head, Piece, Request, Response};

/// Answers requests. Called from one thread; must not block for long.
pub trait Handler: Send + Sync + 'static {
    /// Looks at a request before its body is read. An answer here ends it.
    fn head(&self, head: &Head) -> Option<Answer>;

    /// Answers a whole request.
    fn request(&self, request: Request) -> Answer;

    /// Answers a request that breaks a limit; `status` is 400, 408, 413 or 421.
    fn refused(&self, head: &Head, status: u16, why: &str) -> Response {
        let _ = head;
        Response::text(status, format!("{why}\n"))
    }
}

/// Bytes of a request's body.
const BODY_BYTES: usize = 1 << 20;

/// What a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub connections: usize,
    pub header_bytes: usize,
    pub body_bytes: usize,
    /// For the head, and again for the body.
    pub read: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 512, header_bytes: 64 << 10, body_bytes: BODY_BYTES, read: Duration::from_secs(30) }
    }
}

/// A running server. Stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Binds 127.0.0.1 (port 0: a free one) and starts answering. Fails when the port is taken.
    pub fn start(port: u16, limits: Limits, handler: Arc<dyn Handler>) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("serve".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                tokio::select! {
                    () = accept(listener, limits, handler) => {}
                    _ = stopped => {}
                }
            });
            runtime.shutdown_background();
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:<port>`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends the server; open connections are closed.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // A server that ended by itself no longer listens.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // A panic in the thread has been printed; there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn accept(listener: TcpListener, limits: Limits, handler: Arc<dyn Handler>) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file handles, most likely: wait for some to come back.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let handler = Arc::clone(&handler);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, limits, Arc::clone(&handler)));
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.read)
                .max_buf_size(limits.header_bytes)
                .auto_date_header(false)
                .serve_connection(TokioIo::new(stream), service);
            // A broken connection is the client's affair, or was asked for.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// The connection is closed without an answer.
#[derive(Debug)]
struct Dropped;

impl std::fmt::Display for Dropped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("connection dropped on purpose")
    }
}

impl std::error::Error for Dropped {}

type HttpResponse = hyper::Response<BoxBody<Bytes, Dropped>>;

async fn answer(
    request: hyper::Request<Incoming>,
    limits: Limits,
    handler: Arc<dyn Handler>,
) -> Result<HttpResponse, Dropped> {
    let (parts, body) = request.into_parts();
    let head = head_of(&parts);
    if !is_local_host(head.header("host")) {
        return Ok(to_http(handler.refused(&head, 421, "this server answers for 127.0.0.1 and localhost only")));
    }
    let answer = match handler.head(&head) {
        Some(answer) => answer,
        None => match timeout(limits.read, Limited::new(body, limits.body_bytes).collect()).await {
            Err(_) => closing(handler.refused(&head, 408, "the body took too long")),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                closing(handler.refused(&head, 413, &format!("the body has more than {} bytes", limits.body_bytes)))
            }
            Ok(Err(_)) => closing(handler.refused(&head, 400, "the body could not be read")),
            Ok(Ok(body)) => handler.request(Request { head, body: body.to_bytes().to_vec() }),
        },
    };
    match answer {
        Answer::Respond(response) => Ok(to_http(response)),
        Answer::Drop { after } => {
            sleep(after).await;
            Err(Dropped)
        }
    }
}

fn closing(mut response: Response) -> Answer {
    response.close = true;
    response.into()
}

fn head_of(parts: &hyper::http::request::Parts) -> Head {
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    Head {
        method: parts.method.as_str().to_owned(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers.iter().map(header).collect(),
    }
}

/// Whether a `Host` header names this machine's loopback interface, with any port.
fn is_local_host(host: Option<&str>) -> bool {
    let Some(host) = host else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

fn to_http(response: Response) -> HttpResponse {
    let body = match response.body {
        Body::Whole(bytes) => Full::new(Bytes::from(bytes)).map_err(|never: Infallible| match never {}).boxed(),
        Body::Pieces(pieces, ending) => {
            BoxBody::new(Pieces { pieces: pieces.into_iter(), ending, wait: None, next: None })
        }
    };
    let mut http = hyper::Response::new(body);
    *http.status_mut() =
        hyper::StatusCode::from_u16(response.status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in &response.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            http.headers_mut().append(name, value);
        }
    }
    if response.close {
        http.headers_mut().insert(hyper::header::CONNECTION, HeaderValue::from_static("close"));
    }
    http
}

/// A body that comes in pieces, each after its wait.
struct Pieces {
    pieces: std::vec::IntoIter<Piece>,
    ending: Ending,
    wait: Option<Pin<Box<Sleep>>>,
    next: Option<Bytes>,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Dropped;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Dropped>>> {
        if self.wait.is_none() {
            let wait = match self.pieces.next() {
                Some(piece) => {
                    self.next = Some(Bytes::from(piece.bytes));
                    piece.after
                }
                None => match self.ending {
                    Ending::Clean => return Poll::Ready(None),
                    Ending::Break => Duration::ZERO,
                    Ending::Stall(time) => time,
                },
            };
            self.wait = Some(Box::pin(tokio::time::sleep_until(Instant::now() + wait)));
        }
        let Some(wait) = self.wait.as_mut() else { return Poll::Ready(None) };
        if wait.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.wait = None;
        match self.next.take() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None => Poll::Ready(Some(Err(Dropped))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Handler, Limits, Server, is_local_host};
    use crate::message::{Answer, Body, Ending, Head, Piece, Request, Response};

    struct Echo;

    impl Handler for Echo {
        fn head(&self, head: &Head) -> Option<Answer> {
            (head.path == "/early").then_some(Answer::Drop { after: Duration::ZERO })
        }

        fn request(&self, request: Request) -> Answer {
            let piece = |text: &str| Piece { after: Duration::ZERO, bytes: text.into() };
            match request.head.path.as_str() {
                "/pieces" => {
                    let body = Body::Pieces(vec![piece("a"), piece("b")], Ending::Clean);
                    Response { status: 200, headers: Vec::new(), body, close: true }.into()
                }
                "/broken" => {
                    let body = Body::Pieces(vec![piece("a")], Ending::Break);
                    Response { status: 200, headers: Vec::new(), body, close: true }.into()
                }
                _ => Response { close: true, ..Response::text(200, request.body) }.into(),
            }
        }
    }

    fn exchange(request: &str) -> String {
        let limits = Limits { body_bytes: 10, ..Limits::default() };
        let server = Server::start(0, limits, Arc::new(Echo)).expect("a free port");
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("writable");
        let mut answer = String::new();
        // A connection that is reset gives what had arrived.
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    #[test]
    fn requests_are_answered_within_their_limits() {
        let post = |path: &str, body: &str| {
            exchange(&format!(
                "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ))
        };
        let answer = post("/", "hello");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nhello"), "{answer}");
        assert!(!answer.to_ascii_lowercase().contains("\r\ndate:"), "answers are the same every time");
        assert!(post("/", "much too long").starts_with("HTTP/1.1 413 "));
        assert_eq!(post("/early", ""), "");
        assert!(post("/pieces", "").ends_with("1\r\na\r\n1\r\nb\r\n0\r\n\r\n"));
        assert!(post("/broken", "").ends_with("1\r\na\r\n"));
    }

    #[test]
    fn other_hosts_are_refused() {
        assert!(
            exchange("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 421 ")
        );
        for host in ["127.0.0.1", "127.0.0.1:80", "localhost:4010", "[::1]:80", "[::1]"] {
            assert!(is_local_host(Some(host)), "{host}");
        }
        for host in ["127.0.0.1.evil.example", "evil.example:80", "", "localhost.evil"] {
            assert!(!is_local_host(Some(host)), "{host}");
        }
        assert!(!is_local_host(None));
    }

    #[test]
    fn a_taken_port_is_an_error() {
        let server = Server::start(0, Limits::default(), Arc::new(Echo)).expect("a free port");
        assert!(Server::start(server.address().port(), Limits::default(), Arc::new(Echo)).is_err());
    }
}
