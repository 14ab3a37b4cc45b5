//! Stamps in explorations: configurations that behave alike are replaced by one representative.

use std::collections::BTreeSet;

use super::Memory;
use super::memory::ProcessPhase;
use super::message::{Message, MessageKind};
use crate::choice::{Choices, Decision, pick_index};
use crate::exclusion::{Identifier, Stamps, Transit};

/// The distance between stamps of live requests, so that a new one fits between any two of them.
const GAP: u32 = 2;

/// A request: its stamp and its owner. Among equal stamps the smaller identifier goes first.
type StampedRequest = (u32, Identifier);

/// Picks a stamp anywhere among those of live requests, after the last stamp of the process. `memory.clock` is the
/// number of live requests.
pub(super) fn any(memory: &Memory, choices: &mut dyn Choices) -> u32 {
    let own = memory.stamp / GAP;
    let places = (memory.clock - own + 1) as usize;
    let place = pick_index(choices, places, Decision::Initial).expect("there is a place at the end");
    (own + place as u32) * GAP + 1
}

/// Normalises stamps: see [`Exclusion::normalise`](crate::exclusion::Exclusion::normalise).
pub(super) fn normalise(stamps: Stamps, memories: &mut [Memory], messages: &mut [Transit<'_, Message>]) {
    if stamps == Stamps::Counted {
        return;
    }
    forget(stamps, memories, messages);
    if stamps == Stamps::Ranked {
        return rank(memories, messages);
    }
    let live = live(memories, messages);
    if stamps == Stamps::AnyOrder {
        // The initial stamp 0 stays, since it comes before all others.
        let order: Vec<StampedRequest> = live.into_iter().filter(|&(stamp, _)| stamp > 0).collect();
        rename(memories, messages, |request| match order.binary_search(&request) {
            Ok(place) => (place as u32 + 1) * GAP,
            Err(_) => 0,
        });
        memories.iter_mut().for_each(|memory| memory.clock = order.len() as u32);
        messages.iter_mut().for_each(|transit| transit.message.clock = 0);
        return;
    }
    // Later stamps exceed the least clock, so of stamps up to it only the order counts.
    let base = memories.iter().map(|memory| memory.clock).min().unwrap_or(0);
    let old: Vec<StampedRequest> = live.into_iter().filter(|&(stamp, _)| stamp <= base).collect();
    let kept = old.len() as u32;
    let beyond = |number: u32| number.checked_sub(base).map_or(0, |beyond| beyond + kept);
    rename(memories, messages, |request| match old.binary_search(&request) {
        Ok(place) => place as u32 + 1,
        Err(_) if request.0 > base => beyond(request.0),
        Err(_) => 0,
    });
    memories.iter_mut().for_each(|memory| memory.clock = beyond(memory.clock));
    for Transit { to, message, .. } in messages {
        // A clock that is not ahead of the receiver's has no effect.
        let ahead = beyond(message.clock);
        message.clock = if ahead > memories[to.index()].clock { ahead } else { 0 };
    }
}

/// Replaces each number by its rank among all numbers. The numbers are clocks, stamps of live requests, and clocks of
/// messages that advance the receiver's clock.
fn rank(memories: &mut [Memory], messages: &mut [Transit<'_, Message>]) {
    let live = live(memories, messages);
    let ahead = |transit: &Transit<'_, Message>, memories: &[Memory]| {
        Some(transit.message.clock).filter(|&clock| clock > memories[transit.to.index()].clock)
    };
    let clocks = memories.iter().map(|memory| memory.clock);
    let under_way = messages.iter().filter_map(|transit| ahead(transit, memories));
    let numbers: BTreeSet<u32> =
        clocks.chain(under_way).chain(live.iter().map(|&(stamp, _)| stamp)).collect();
    let numbers: Vec<u32> = numbers.into_iter().collect();
    let place = |number: u32| numbers.binary_search(&number).map_or(0, |place| place as u32 + 1);
    rename(memories, messages, |request| if live.contains(&request) { place(request.0) } else { 0 });
    for transit in messages.iter_mut() {
        transit.message.clock = ahead(transit, memories).map_or(0, place);
    }
    memories.iter_mut().for_each(|memory| memory.clock = place(memory.clock));
}

/// The request that a message carries or raises; `None` for other messages.
fn request(transit: &Transit<'_, Message>) -> Option<StampedRequest> {
    let owner = match transit.message.kind {
        MessageKind::Request | MessageKind::RequestByTrigger => transit.from,
        MessageKind::Trigger => transit.to,
        _ => return None,
    };
    Some((transit.message.stamp, Identifier(owner.0)))
}

/// Clears the stamps of processes that do not wait, since they have no request. With [`Stamps::AnyOrder`] the next
/// stamp must come after the last one of the process. So a process keeps the last stamp that an arbiter stores or that
/// is in transit to one.
fn forget(stamps: Stamps, memories: &mut [Memory], messages: &[Transit<'_, Message>]) {
    let elsewhere = if stamps == Stamps::AnyOrder {
        in_entries_and_messages(memories, messages)
    } else {
        BTreeSet::new()
    };
    for memory in memories.iter_mut().filter(|memory| memory.phase == ProcessPhase::Idle) {
        if !elsewhere.contains(&(memory.stamp, memory.identifier)) {
            let last = elsewhere.iter().rev().find(|&&(_, owner)| owner == memory.identifier);
            memory.stamp = last.map_or(0, |&(stamp, _)| stamp);
        }
    }
}

fn in_entries_and_messages(
    memories: &[Memory],
    messages: &[Transit<'_, Message>],
) -> BTreeSet<StampedRequest> {
    let arbiters = memories.iter().flat_map(|memory| &memory.arbiters);
    let entries = arbiters.flat_map(|arbiter| arbiter.granted.iter().chain(&arbiter.pending));
    entries.map(|entry| (entry.stamp, entry.owner)).chain(messages.iter().filter_map(request)).collect()
}

fn live(memories: &[Memory], messages: &[Transit<'_, Message>]) -> BTreeSet<StampedRequest> {
    let mut requests = in_entries_and_messages(memories, messages);
    let waiting = memories.iter().filter(|memory| memory.phase != ProcessPhase::Idle);
    requests.extend(waiting.map(|memory| (memory.stamp, memory.identifier)));
    requests
}

fn rename(
    memories: &mut [Memory],
    messages: &mut [Transit<'_, Message>],
    name: impl Fn(StampedRequest) -> u32,
) {
    for memory in memories {
        memory.stamp = name((memory.stamp, memory.identifier));
        for arbiter in &mut memory.arbiters {
            for entry in arbiter.granted.iter_mut().chain(&mut arbiter.pending) {
                entry.stamp = name((entry.stamp, entry.owner));
            }
        }
    }
    for transit in messages {
        if let Some(request) = request(transit) {
            transit.message.stamp = name(request);
        }
    }
}
