//! Tests that films are read back as written, and that damaged ones are refused.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};

use acrasin_report::film::{
    CHANGED, ColumnKind, Film, FilmWriter, FrameChange, FrameConfiguration, FrameEvents, GRANTED, Head,
    Message, NodeColumn, NodeValue, VIOLATED,
};
use proptest::prelude::*;

const NODES: u32 = 5;

fn head(every: u64) -> Head {
    let columns = vec![
        NodeColumn::class("state", "state", ["A", "B", "undecided"].map(str::to_owned)),
        NodeColumn::new("trial", "trial", ColumnKind::Number),
        NodeColumn::new("holder", "held by", ColumnKind::Node),
        NodeColumn::new("phase", "phase", ColumnKind::Word).of_memory(),
    ];
    let mut head = Head::new("population", NODES, columns);
    head.title = "</script> a title".to_owned();
    head.every = every;
    head.actions = vec!["Lock".to_owned(), "Unlock".to_owned()];
    head.messages = vec!["ready".to_owned(), "win".to_owned()];
    head
}

fn value() -> impl Strategy<Value = (usize, NodeValue)> {
    prop_oneof![
        (0..3_u32).prop_map(|class| (0, NodeValue::Class(class))),
        (-(1_i64 << 52)..1 << 52).prop_map(|number| (1, NodeValue::Number(number))),
        proptest::option::of(0..NODES).prop_map(|node| (2, NodeValue::Node(node))),
        "[a-zé]{0,3}".prop_map(|word| (3, NodeValue::word(word))),
    ]
}

fn edge() -> impl Strategy<Value = (u32, u32)> {
    (0..NODES, 0..NODES).prop_filter("two ends", |(a, b)| a < b)
}

fn operation() -> impl Strategy<Value = FrameChange> {
    prop_oneof![
        4 => (0..NODES, value()).prop_map(|(node, (column, value))| FrameChange::Set { column, node, value }),
        1 => edge().prop_map(|(a, b)| FrameChange::Appeared(a, b)),
        1 => edge().prop_map(|(a, b)| FrameChange::Vanished(a, b)),
        1 => (0..9_u64, 0..NODES, 0..NODES, 0..2_u32)
            .prop_map(|(id, from, to, kind)| FrameChange::Sent(id, Message { from, to, kind })),
        1 => (0..9_u64).prop_map(FrameChange::Received),
    ]
}

fn frame() -> impl Strategy<Value = (FrameEvents, Vec<FrameChange>)> {
    let happened = (0..8_u8, proptest::option::of(0..NODES), proptest::option::of(0..2_u32), "[a-z]{0,2}");
    let happened =
        happened.prop_map(|(flags, actor, action, text)| FrameEvents { flags, actor, action, text });
    (happened, proptest::collection::vec(operation(), 0..6))
}

fn start() -> FrameConfiguration {
    let column = |value: NodeValue| vec![value; NODES as usize];
    FrameConfiguration {
        columns: vec![
            column(NodeValue::Class(0)),
            column(NodeValue::Number(0)),
            column(NodeValue::Node(None)),
            column(NodeValue::word("bot")),
        ],
        edges: BTreeSet::from([(0, 1), (1, 2)]),
        ..FrameConfiguration::default()
    }
}

/// The film, with the expected frames.
fn filmed(frames: &[(FrameEvents, Vec<FrameChange>)]) -> (Film, Vec<(FrameEvents, FrameConfiguration)>) {
    let mut now = start();
    let mut writer = FilmWriter::new(head(1), now.clone());
    let mut meant = vec![(FrameEvents::default(), now.clone())];
    for (happened, operations) in frames {
        writer.frame(happened, operations);
        operations.iter().for_each(|operation| now.apply(operation));
        meant.push((happened.clone(), now.clone()));
    }
    (writer.finish(frames.len() as u64), meant)
}

fn read(film: &Film) -> Result<Vec<(FrameEvents, FrameConfiguration)>, String> {
    let frames = film.frames().map(|frame| frame.map(|frame| (frame.happened, frame.configuration)));
    frames.collect::<Result<_, _>>().map_err(|damaged| damaged.to_string())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(frames in proptest::collection::vec(frame(), 0..40)) {
        let (film, meant) = filmed(&frames);
        prop_assert_eq!(&read(&film).unwrap(), &meant);
        prop_assert_eq!(&Film::from_html(&film.to_html()).unwrap(), &film);
    }
}

/// Every second one of the expected frames, computed from the definition: events of a dropped frame move to the next
/// one.
fn every_second(meant: &[(FrameEvents, FrameConfiguration)]) -> Vec<(FrameEvents, FrameConfiguration)> {
    let mut kept = vec![(FrameEvents::default(), meant[0].1.clone())];
    for at in (2..meant.len()).step_by(2) {
        let [(first, _), (second, now)] = [&meant[at - 1], &meant[at]];
        let is_empty = second.text.is_empty() && second.actor.is_none();
        let mut happened = if is_empty { first.clone() } else { second.clone() };
        happened.flags = (first.flags | second.flags) & !CHANGED;
        if kept.last().unwrap().1.edges != now.edges {
            happened.flags |= CHANGED;
        }
        kept.push((happened, now.clone()));
    }
    kept
}

proptest! {
    #[test]
    fn a_halved_film_is_that_of_every_second_frame(frames in proptest::collection::vec(frame(), 4..40)) {
        // Frames 0 to 4m can be halved twice.
        let frames = &frames[..frames.len() / 4 * 4];
        let (_, meant) = filmed(frames);
        let mut writer = FilmWriter::new(head(1), start());
        frames.iter().for_each(|(happened, operations)| writer.frame(happened, operations));
        writer.halve();
        writer.halve();
        let film = writer.finish(frames.len() as u64);
        prop_assert_eq!(film.head.every, 4);
        prop_assert_eq!(read(&film).unwrap(), every_second(&every_second(&meant)));
    }
}

#[test]
fn a_long_film_is_halved_across_its_chunks() {
    let (_, meant) = long();
    let mut writer = FilmWriter::new(head(1), start());
    for number in 0..1100_u32 {
        let value = NodeValue::Number(i64::from(number));
        let set = FrameChange::Set { column: 1, node: number % NODES, value };
        let flags = (number == 700).into();
        writer.frame(&FrameEvents { flags, ..FrameEvents::default() }, &[set]);
    }
    writer.halve();
    let film = writer.finish(1100);
    assert_eq!(read(&film).unwrap(), every_second(&meant));
    assert_eq!(film.head.chunks.iter().map(|chunk| chunk.frames).collect::<Vec<_>>(), [512, 39]);
}

/// A film with more frames than a chunk.
fn long() -> (Film, Vec<(FrameEvents, FrameConfiguration)>) {
    let frames: Vec<_> = (0..1100_u32)
        .map(|number| {
            let value = NodeValue::Number(i64::from(number));
            let set = FrameChange::Set { column: 1, node: number % NODES, value };
            (FrameEvents { flags: (number == 700).into(), ..FrameEvents::default() }, vec![set])
        })
        .collect();
    filmed(&frames)
}

#[test]
fn a_long_film_has_chunks_that_follow_one_another() {
    let (film, meant) = long();
    assert_eq!(read(&film).unwrap(), meant);
    let index: Vec<(u64, u64, u8)> =
        film.head.chunks.iter().map(|chunk| (chunk.first, chunk.frames, chunk.flags)).collect();
    assert_eq!(index, [(0, 512, 0), (512, 512, GRANTED), (1024, 77, 0)]);
}

#[test]
fn the_last_frame_can_be_marked() {
    let mut writer = FilmWriter::new(head(1), start());
    writer.frame(&FrameEvents::default(), &[]);
    writer.mark(VIOLATED);
    let film = writer.finish(1);
    assert_eq!(read(&film).unwrap()[1].0.flags, VIOLATED);
    assert_eq!(film.head.chunks[0].flags, VIOLATED);
}

/// A film with all kinds of content, in one chunk.
fn small() -> (Film, Vec<(FrameEvents, FrameConfiguration)>) {
    let message = Message { from: 0, to: 1, kind: 1 };
    let text = "1 recv ready@1".to_owned();
    let set = |column, value| FrameChange::Set { column, node: 3, value };
    filmed(&[
        (
            FrameEvents { flags: GRANTED, actor: Some(0), action: Some(0), text },
            vec![
                FrameChange::Sent(7, message),
                set(0, NodeValue::Class(2)),
                set(3, NodeValue::word("compete")),
            ],
        ),
        (
            FrameEvents { flags: VIOLATED, ..FrameEvents::default() },
            vec![FrameChange::Received(7), FrameChange::Vanished(0, 1), set(2, NodeValue::Node(Some(4)))],
        ),
    ])
}

/// Reading a damaged film gives the original or a one-line error, and never panics.
fn is_same_or_refused(film: &Film, meant: &[(FrameEvents, FrameConfiguration)]) -> bool {
    match read(film) {
        Ok(frames) => frames == meant,
        Err(line) => {
            assert!(line.starts_with("the film is damaged: ") && !line.contains('\n'), "{line}");
            false
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    let (film, meant) = small();
    assert!(is_same_or_refused(&film, &meant));
    for length in 0..film.chunks[0].len() {
        let mut cut = film.clone();
        cut.chunks[0].truncate(length);
        // The end mark of a deflate stream may be missing, but nothing else.
        assert!(!is_same_or_refused(&cut, &meant) || length + 1 == film.chunks[0].len(), "{length}");
    }
    let html = film.to_html();
    for length in (0..html.len()).filter(|&length| html.is_char_boundary(length)) {
        if let Ok(cut) = Film::from_html(&html[..length]) {
            let _ = is_same_or_refused(&cut, &meant);
        }
    }
}

#[test]
fn a_flipped_bit_is_refused_or_makes_no_difference() {
    let (film, meant) = small();
    let mut refused = 0;
    for at in 0..film.chunks[0].len() {
        for bit in 0..8 {
            let mut damaged = film.clone();
            damaged.chunks[0][at] ^= 1 << bit;
            if !is_same_or_refused(&damaged, &meant) {
                assert!(read(&damaged).is_err(), "byte {at}, bit {bit}: another film");
                refused += 1;
            }
        }
    }
    assert!(refused > 4 * film.chunks[0].len(), "{refused}");
}

/// Deliberate damage with a valid checksum also gives a one-line error, and never a panic.
#[test]
fn what_does_not_add_up_inside_a_chunk_is_refused() {
    let (film, meant) = small();
    let inflated = inflated(&film.chunks[0]);
    let mut refused = 0;
    for at in 0..inflated.len() {
        for bit in 0..8 {
            let mut bytes = inflated.clone();
            bytes[at] ^= 1 << bit;
            let mut damaged = film.clone();
            let mut crc = flate2::Crc::new();
            crc.update(&bytes);
            damaged.head.chunks[0].check = crc.sum();
            damaged.chunks[0] = deflated(&bytes);
            is_same_or_refused(&damaged, &meant);
            refused += usize::from(read(&damaged).is_err());
        }
    }
    assert!(refused > 2 * inflated.len(), "{refused} of {}", 8 * inflated.len());
}

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::DeflateDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_head_that_does_not_add_up_is_refused() {
    let (film, _) = small();
    let refused = |change: fn(&mut Film)| {
        let mut damaged = film.clone();
        change(&mut damaged);
        read(&damaged).unwrap_err()
    };
    for (line, part) in [
        (refused(|film| film.head.film = 1), "film 1, expected 2"),
        (refused(|film| film.head.frames = 9), "9 frames for 2 steps"),
        (refused(|film| film.head.every = 0), "every 0"),
        (refused(|film| film.head.nodes = u32::MAX), "nodes, expected up to"),
        (refused(|film| film.head.chunks[0].first = 1), "begins with frame 1, expected 0"),
        (refused(|film| film.chunks.clear()), "1 chunks announced, but 0 present"),
        (refused(|film| film.head.nodes = 4), "chunk 0: "),
        (refused(|film| film.head.messages.clear()), "kind of message"),
    ] {
        assert!(line.contains(part), "{line}");
    }
}
