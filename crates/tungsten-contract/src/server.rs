//! The scripted server: raw TCP, so that it can break HTTP in every place.
//!
//! Each server is a listener on a free loopback port and a list of answers. A connection takes the first answer left
//! that fits its request and does what it says. Waiting is asked of the run (`Event::Stalled`), which owns the clock.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::base64;
use crate::event::{Event, Go};
use crate::http::{self, Arrived, Buffer};
use crate::scenario::{Answer, Chunk, End, Framing, Read};

/// Servers that run; ended when dropped.
#[derive(Debug)]
pub struct Server {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    name: String,
    script: Mutex<Vec<Answer>>,
    events: Sender<Event>,
    /// Copies of open connections, to end them by.
    streams: Mutex<BTreeMap<usize, TcpStream>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    is_over: AtomicBool,
}

/// Numbers of connections, of all servers together.
static CONNECTIONS: AtomicUsize = AtomicUsize::new(0);

impl Server {
    /// Starts to accept connections.
    pub fn start(name: &str, listener: TcpListener, script: Vec<Answer>, events: Sender<Event>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            script: Mutex::new(script),
            events,
            streams: Mutex::default(),
            threads: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let inside = Arc::clone(&shared);
        let acceptor = std::thread::spawn(move || accept(&listener, &inside));
        Ok(Self { address, shared, acceptor: Some(acceptor) })
    }

    /// How many answers nobody asked for.
    pub fn n_left(&self) -> usize {
        locked(&self.shared.script).len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the acceptor.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        for stream in std::mem::take(&mut *locked(&self.shared.streams)).into_values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        let threads = std::mem::take(&mut *locked(&self.shared.threads));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that panicked is reported by what it did not do.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        // Answers go out as they are written, not when there is more.
        let _ = stream.set_nodelay(true);
        let id = CONNECTIONS.fetch_add(1, Ordering::SeqCst);
        if let Ok(copy) = stream.try_clone() {
            locked(&shared.streams).insert(id, copy);
        }
        let inside = Arc::clone(shared);
        let thread = std::thread::spawn(move || {
            let mut connection = Connection { id, stream, shared: inside, buffer: Buffer::default() };
            // What a client does to its connection shows in its results.
            let served = connection.serve();
            locked(&connection.shared.streams).remove(&id);
            if !matches!(served, Ok(Served::Reset)) {
                let _ = connection.stream.shutdown(Shutdown::Both);
            }
        });
        locked(&shared.threads).push(thread);
    }
}

struct Connection {
    id: usize,
    stream: TcpStream,
    shared: Arc<Shared>,
    buffer: Buffer,
}

/// How serving one request ended.
enum Served {
    KeptAlive,
    Over,
    /// To be closed without a farewell.
    Reset,
}

impl Connection {
    fn serve(&mut self) -> io::Result<Served> {
        if let Some(answer) = self.shared.take_unread() {
            return self.answer(&answer, "");
        }
        loop {
            let mut request = self.buffer.head(&mut self.stream, &self.shared.name)?;
            let taken = self.shared.take(&request);
            if taken.as_ref().is_none_or(|answer| answer.read == Read::All) {
                request.body = self.buffer.body(&mut self.stream, &request)?;
            }
            let method = request.method.clone();
            self.event(Event::Arrived { request, expected: taken.is_some() });
            let answer = taken.unwrap_or_else(|| Answer { status: Some(599), ..Answer::default() });
            match self.answer(&answer, &method)? {
                Served::KeptAlive => {}
                served => return Ok(served),
            }
        }
    }

    fn answer(&mut self, answer: &Answer, method: &str) -> io::Result<Served> {
        if let Some(ms) = answer.delay_ms
            && !self.stall(Some(ms))
        {
            return Ok(Served::Over);
        }
        if let Some(raw) = &answer.raw {
            self.write(raw.as_bytes())?;
            return self.end(answer.drop.unwrap_or(End::Close));
        }
        if let Some(end) = answer.drop {
            return self.end(end);
        }
        for early in &answer.informational {
            self.write(http::informational(early.status, &early.headers).as_bytes())?;
        }
        let body = http::body_of(answer);
        let head = http::head_of(answer, body.len(), method);
        let cut = answer.cut.as_ref();
        if let Some((at, end)) = cut.and_then(|cut| cut.head.map(|at| (at, cut.end))) {
            self.write(&head.as_bytes()[..at.min(head.len())])?;
            return self.end(end);
        }
        self.write(head.as_bytes())?;
        if method == "HEAD" {
            return self.finish(answer);
        }
        if let Some((at, end)) = cut.and_then(|cut| cut.body.map(|at| (at, cut.end))) {
            let part = &body[..at.min(body.len())];
            let framed = if answer.framing == Framing::Chunked { http::chunk(part) } else { part.to_vec() };
            self.write(&framed)?;
            return self.end(end);
        }
        if let Some(chunks) = &answer.chunks {
            for chunk in chunks {
                if let Some(served) = self.chunk(chunk, answer.framing)? {
                    return Ok(served);
                }
            }
        } else if answer.framing == Framing::Chunked {
            if !body.is_empty() {
                self.write(&http::chunk(&body))?;
            }
        } else {
            self.write(&body)?;
        }
        if answer.framing == Framing::Chunked {
            self.write(b"0\r\n\r\n")?;
        }
        self.finish(answer)
    }

    fn chunk(&mut self, chunk: &Chunk, framing: Framing) -> io::Result<Option<Served>> {
        if let Some(end) = chunk.drop {
            return self.end(end).map(Some);
        }
        if let Some(ms) = chunk.delay_ms
            && !self.stall(Some(ms))
        {
            return Ok(Some(Served::Over));
        }
        let text = chunk.text.as_ref().map(|text| text.clone().into_bytes());
        let bytes = text.or_else(|| chunk.bytes.as_deref().and_then(base64::decode)).unwrap_or_default();
        if !bytes.is_empty() {
            self.write(&if framing == Framing::Chunked { http::chunk(&bytes) } else { bytes })?;
        }
        Ok(None)
    }

    fn finish(&mut self, answer: &Answer) -> io::Result<Served> {
        self.stream.flush()?;
        Ok(if answer.keep_alive { Served::KeptAlive } else { Served::Over })
    }

    fn end(&mut self, end: End) -> io::Result<Served> {
        match end {
            End::Close => {}
            // Without time to linger, closing discards what is left and resets the connection.
            End::Reset => {
                socket2::SockRef::from(&self.stream).set_linger(Some(Duration::ZERO))?;
                // Ends the one that watches a connection that waited before: its copy would keep it open.
                let _ = self.stream.shutdown(Shutdown::Read);
                return Ok(Served::Reset);
            }
            End::Stall => {
                self.stall(None);
            }
        }
        Ok(Served::Over)
    }

    /// Waits for the virtual clock, or for ever; whether to go on then.
    fn stall(&mut self, ms: Option<u64>) -> bool {
        let (go, wait): (Sender<Go>, Receiver<Go>) = channel();
        let Ok(mut copy) = self.stream.try_clone() else { return false };
        self.event(Event::Stalled { connection: self.id, ms, go: go.clone() });
        let (events, connection) = (self.shared.events.clone(), self.id);
        let watcher = std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while copy.read(&mut bytes).is_ok_and(|n| n > 0) {}
            let _ = events.send(Event::Gone { connection });
            let _ = go.send(Go::Gone);
        });
        locked(&self.shared.threads).push(watcher);
        matches!(wait.recv(), Ok(Go::On))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn event(&self, event: Event) {
        // A run that is over no longer listens.
        let _ = self.shared.events.send(event);
    }
}

impl Shared {
    /// The next answer, when it wants nothing read.
    fn take_unread(&self) -> Option<Answer> {
        let mut script = locked(&self.script);
        let is_next = script.first().is_some_and(|answer| answer.read == Read::Nothing);
        is_next.then(|| script.remove(0))
    }

    /// The first answer left that fits a request.
    fn take(&self, request: &Arrived) -> Option<Answer> {
        let mut script = locked(&self.script);
        let path = request.target.split('?').next().unwrap_or_default();
        let fits = |answer: &Answer| {
            answer.read != Read::Nothing
                && answer.matches.as_ref().is_none_or(|wanted| {
                    wanted.method.as_ref().is_none_or(|method| *method == request.method)
                        && wanted.path.as_ref().is_none_or(|wanted| wanted == path)
                })
        };
        let at = script.iter().position(fits)?;
        Some(script.remove(at))
    }
}
