//! Formats values as the file writes them.

use std::fmt::{Debug, Write as _};

use acrasin_runtime::exclusion::local::Local;

use super::text::{CheckAction, InTransit, LocalSent, PortNumbers, Set};
use crate::words::write_message;

pub(super) fn ports(ports: &PortNumbers) -> String {
    list(ports.elements(), |out, port| write!(out, "{port}").expect("a string takes everything"))
}

/// Pairs as text, for instance `[[0,true],[3,false]]` or `[[0,17]]`.
pub(super) fn pairs<T: Ord + ToString>(pairs: &Set<(u16, T)>) -> String {
    list(pairs.elements(), |out, (port, value)| {
        write!(out, "[{port},{}]", value.to_string()).expect("a string takes everything");
    })
}

pub(super) fn sends(sends: &[LocalSent]) -> String {
    list(sends, |out, &LocalSent(port, message)| {
        write!(out, "[{port},").expect("a string takes everything");
        write_message::<Local>(out, message);
        out.push(']');
    })
}

pub(super) fn transit(messages: &[InTransit]) -> String {
    list(messages, |out, &InTransit(node, port, message)| {
        write!(out, "[{node},{port},").expect("a string takes everything");
        write_message::<Local>(out, message);
        out.push(']');
    })
}

pub(super) fn enabled(names: &[CheckAction]) -> String {
    list(names, |out, CheckAction(action)| write!(out, "\"{action}\"").expect("a string takes everything"))
}

pub(super) fn detectors(ends: &[(u32, PortNumbers)]) -> String {
    list(ends, |out, (node, read)| {
        write!(out, "[{node},{}]", ports(read)).expect("a string takes everything");
    })
}

/// The name of a state or phase in the file.
pub(super) fn word<T: Debug>(value: &T) -> String {
    format!("{value:?}").to_lowercase()
}

fn list<T>(elements: &[T], mut write: impl FnMut(&mut String, &T)) -> String {
    let mut out = String::from("[");
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(&mut out, element);
    }
    out.push(']');
    out
}
