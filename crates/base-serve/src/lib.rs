//! A small HTTP/1 server for the loopback interface.
//!
//! A [`Handler`] sees the head first, then the whole body, and says what goes out: a response, a body that comes in
//! pieces, or nothing but a closed connection. Bounded everywhere: connections, header bytes, body bytes, the time that
//! a head or a body may take. Requests whose `Host` is not this machine are refused (DNS rebinding).

mod message;
mod server;

pub use message::{Answer, Body, Ending, Head, Piece, Request, Response};
pub use server::{Handler, Limits, Server};
