//! The crate from outside: a server on the loopback interface, spoken to over plain sockets.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use tungsten_frontend::{InputRequest, MemoryLoader, Request, compile};
use tungsten_mock::{MockServer, Options, start};

fn server(options: Options) -> MockServer {
    let loader = MemoryLoader::new().with("openapi.yaml", include_str!("../../../corpus/harbour/openapi.yaml"));
    let input = InputRequest { namespace: "harbour".to_owned(), spec: "openapi.yaml".to_owned() };
    let request = Request { api_name: "harbour".to_owned(), inputs: vec![input], ..Request::default() };
    let compiled = compile(&request, &loader);
    start(Arc::new(compiled.ir.expect("it compiles")), Arc::new(compiled.docs), 0, options).expect("a free port")
}

/// What comes back until the connection closes.
fn exchange(server: &MockServer, request: &[u8]) -> String {
    let url = server.base_url();
    let address = url.strip_prefix("http://").expect("a base URL");
    let mut stream = TcpStream::connect(address).expect("it listens");
    // The server may have closed the connection before all was written.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(server: &MockServer, target: &str, headers: &str) -> String {
    let request = format!(
        "GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer t\r\nConnection: close\r\n{headers}\r\n"
    );
    exchange(server, request.as_bytes())
}

fn post(server: &MockServer, target: &str, body: &[u8]) -> String {
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    exchange(server, &[head.as_bytes(), body].concat())
}

#[test]
fn an_api_is_served() {
    let gates = vec!["B".to_owned(), "A".to_owned(), "B".to_owned()];
    let mut server = server(Options { gates, ..Options::default() });
    assert_eq!(server.enabled_gates(), ["A", "B"]);
    let answer = get(&server, "/v1/berths", "");
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\r\ncontent-type: application/json\r\n"),
        "{answer}"
    );
    assert!(!answer.to_ascii_lowercase().contains("\r\ndate:"), "the same answer every time");
    assert_eq!(get(&server, "/v1/berths", ""), answer);
    let refused = get(&server, "/berths?limit=0", "");
    assert!(
        refused.starts_with("HTTP/1.1 400 ")
            && refused.contains("x-tungsten-reason: query parameter limit is not at least 1\r\n"),
        "{refused}"
    );
    let calls = get(&server, "/__tungsten/calls", "");
    assert!(calls.contains("\"operation\":\"harbour.listBerths\""), "{calls}");
    assert!(post(&server, "/__tungsten/reset", b"").starts_with("HTTP/1.1 204 "));
    server.stop();
    let url = server.base_url();
    assert!(TcpStream::connect(url.strip_prefix("http://").expect("a base URL")).is_err(), "it no longer listens");
}

#[test]
fn connections_are_dropped_and_limits_kept() {
    let server = server(Options::default());
    for inject in ["reset", "timeout=1", "drop-after-write"] {
        assert_eq!(get(&server, "/berths", &format!("X-Tungsten-Inject: {inject}\r\n")), "", "{inject}");
    }
    let injected = get(&server, "/berths", "X-Tungsten-Inject: status=503;retry-after=2\r\n");
    assert!(injected.starts_with("HTTP/1.1 503 ") && injected.contains("\r\nretry-after: 2\r\n"), "{injected}");
    let large = post(&server, "/bookings", &vec![b' '; (1 << 20) + 1]);
    assert!(large.is_empty() || large.starts_with("HTTP/1.1 413 "), "{large}");
    let calls = get(&server, "/__tungsten/calls", "");
    assert!(calls.contains("\"response_status\":413") && calls.contains("\"response_status\":0"), "{calls}");
}

#[test]
fn raw_bytes_do_no_harm() {
    let server = server(Options::default());
    let head = "POST /bookings HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    let long = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nx: {}\r\n\r\n", "x".repeat(1 << 20));
    let both = format!("{head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n");
    let requests: [&[u8]; 8] = [
        b"\xff\xfe\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        long.as_bytes(),
        both.as_bytes(),
        b"GET /berths?a[4294967295]=x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for request in requests {
        let answer = exchange(&server, request);
        assert!(!answer.starts_with("HTTP/1.1 2") && !answer.starts_with("HTTP/1.1 5"), "{answer}");
    }
    assert!(get(&server, "/berths", "").starts_with("HTTP/1.1 200 "), "it still answers");
}
