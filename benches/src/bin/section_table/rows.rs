//! The rows of the table: instances of the specification, each with the known number of configurations.

use acrasin_runtime::exclusion::critical_section::Scheme;

#[derive(Clone, Copy)]
pub(crate) enum RowManner {
    AnyOrder,
    Ranked,
    /// Stamps in any order, but a process with all grants enters or leaves in a separate step.
    Late,
    /// Each process begins at most this number of changes.
    Changes(i32),
}

pub(crate) struct SectionRow {
    pub name: &'static str,
    pub scheme: Scheme,
    pub edges: &'static [(u32, u32)],
    /// The bounds l and k of each process, or a single pair for all.
    pub bounds: &'static [(u32, u32)],
    pub inside: &'static [u32],
    pub leader: bool,
    pub queued: bool,
    pub manner: RowManner,
    /// The number of configurations in the specification.
    pub known: u64,
}

const P2: &[(u32, u32)] = &[(0, 1)];
pub(crate) const P3: &[(u32, u32)] = &[(0, 1), (1, 2)];
const P4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const S4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const C4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const K3: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const K4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

pub(crate) fn nodes(edges: &[(u32, u32)]) -> u32 {
    1 + edges.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0)
}

/// All rows, in the order of the table.
pub(crate) fn rows() -> Vec<SectionRow> {
    use RowManner::{AnyOrder, Changes, Late, Ranked};
    use Scheme::{Home, Inclusion, Leader};
    let row = |name, scheme, (edges, bounds, inside), manner, known| SectionRow {
        name,
        scheme,
        edges,
        bounds,
        inside,
        leader: false,
        queued: false,
        manner,
        known,
    };
    let queued = |row: SectionRow| SectionRow { queued: true, ..row };
    let led = |row: SectionRow| SectionRow { leader: true, ..row };
    vec![
        queued(row("inclusion, P2, l = 0, queued", Inclusion, (P2, &[(0, 2)], &[0, 1]), AnyOrder, 1_485)),
        queued(row("inclusion, P2, l = 1, queued", Inclusion, (P2, &[(1, 2)], &[0, 1]), AnyOrder, 2_215)),
        queued(row(
            "inclusion, P2, l = 1, queued, the guard evaluated late",
            Inclusion,
            (P2, &[(1, 2)], &[0, 1]),
            Late,
            2_283,
        )),
        row(
            "inclusion, P3, l = (0, 2, 0)",
            Inclusion,
            (P3, &[(0, 2), (2, 3), (0, 2)], &[0, 1, 2]),
            AnyOrder,
            12_082,
        ),
        row(
            "inclusion, P3, l = (0, 1, 0)",
            Inclusion,
            (P3, &[(0, 2), (1, 3), (0, 2)], &[0, 1, 2]),
            AnyOrder,
            39_721,
        ),
        row("inclusion, K3, l = 2", Inclusion, (K3, &[(2, 3)], &[0, 1, 2]), Ranked, 7_116),
        row("inclusion, K3, l = 1", Inclusion, (K3, &[(1, 3)], &[0, 1, 2]), Ranked, 318_286),
        row(
            "inclusion, K3, l = (2, 1, 1)",
            Inclusion,
            (K3, &[(2, 3), (1, 3), (1, 3)], &[0, 1, 2]),
            Ranked,
            70_973,
        ),
        row(
            "inclusion, K3, l = (2, 2, 1)",
            Inclusion,
            (K3, &[(2, 3), (2, 3), (1, 3)], &[0, 1, 2]),
            Ranked,
            11_917,
        ),
        queued(row("inclusion, K3, l = 2, queued", Inclusion, (K3, &[(2, 3)], &[0, 1, 2]), Ranked, 806_918)),
        row("inclusion, K4, l = 3", Inclusion, (K4, &[(3, 4)], &[0, 1, 2, 3]), Ranked, 11_519_339),
        row(
            "inclusion, star of 4, l = 1",
            Inclusion,
            (S4, &[(1, 4), (1, 2), (1, 2), (1, 2)], &[0, 1, 2, 3]),
            AnyOrder,
            9_577_989,
        ),
        row(
            "inclusion, star of 4, l = 1, b = 1",
            Inclusion,
            (S4, &[(1, 4), (1, 2), (1, 2), (1, 2)], &[0, 1, 2, 3]),
            Changes(1),
            16_096,
        ),
        row(
            "inclusion, P4, l = 1, b = 1",
            Inclusion,
            (P4, &[(1, 2), (1, 3), (1, 3), (1, 2)], &[0, 1, 2, 3]),
            Changes(1),
            19_635,
        ),
        row("inclusion, C4, l = 1, b = 1", Inclusion, (C4, &[(1, 3)], &[0, 1, 2, 3]), Changes(1), 316_067),
        row("inclusion, C4, l = 2, b = 1", Inclusion, (C4, &[(2, 3)], &[0, 1, 2, 3]), Changes(1), 61_450),
        row("inclusion, C4, l = 2, b = 2", Inclusion, (C4, &[(2, 3)], &[0, 1, 2, 3]), Changes(2), 7_827_614),
        row(
            "the leader's rules without a leader, K3, (1, 2), one inside",
            Leader,
            (K3, &[(1, 2)], &[0]),
            Ranked,
            457_858,
        ),
        row(
            "the leader's rules without a leader, K3, (0, 1), none inside",
            Leader,
            (K3, &[(0, 1)], &[]),
            Ranked,
            203_414,
        ),
        row(
            "the leader's rules without a leader, K3, (2, 3), all inside",
            Leader,
            (K3, &[(2, 3)], &[0, 1, 2]),
            Ranked,
            203_414,
        ),
        led(row("a leader, K3, (0, 3), one inside", Leader, (K3, &[(0, 3)], &[0]), Ranked, 8_303_118)),
        led(row(
            "a leader, C4, (0, 3), two neighbours inside, b = 4",
            Leader,
            (C4, &[(0, 3)], &[0, 1]),
            Changes(4),
            255_369,
        )),
        led(row(
            "a leader, K4, (0, 3), the leader inside, b = 1",
            Leader,
            (K4, &[(0, 3)], &[0]),
            Changes(1),
            3_577_638,
        )),
        led(row(
            "a leader, K4, (1, 4), the leader and another inside, b = 1",
            Leader,
            (K4, &[(1, 4)], &[0, 1]),
            Changes(1),
            3_511_294,
        )),
        queued(row("home, P2, (0, 2), one inside, queued", Home, (P2, &[(0, 2)], &[0]), AnyOrder, 1_485)),
        row(
            "home, P3, k = (2, 3, 2), the middle inside",
            Home,
            (P3, &[(0, 2), (0, 3), (0, 2)], &[1]),
            AnyOrder,
            12_136,
        ),
        row("home, K3, (0, 2), one inside", Home, (K3, &[(0, 2)], &[0]), AnyOrder, 583_200),
        row("home, K3, (0, 3), one inside", Home, (K3, &[(0, 3)], &[0]), Ranked, 108_112),
        row(
            "home, C4, (0, 3), two neighbours inside, b = 1",
            Home,
            (C4, &[(0, 3)], &[0, 1]),
            Changes(1),
            289_168,
        ),
    ]
}
