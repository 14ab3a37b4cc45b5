//! Frames as SVG: amoebots on the lattice, other runs as nodes and edges.

use acrasin_amoebot::model::orientation::Orientation;
use acrasin_amoebot::picture::{CLASSES_MAX, Detail, Picture, PictureError};
use acrasin_amoebot::{AmoebotPort, Body, Cell, End};
use acrasin_report::film::{ColumnColours, FrameConfiguration, FrameDrawing, Head, NODES_MAX, NodeValue};
use acrasin_scenario::film::{Seen, lock_set_outlines};

/// Frames as SVG, with the same size, scale and colours.
///
/// # Errors
///
/// There are too many nodes, nodes have no positions, or amoebots are too far apart.
pub(crate) fn svgs(seen: &[Seen], title: &str, colouring: &ColumnColours) -> Result<Vec<String>, String> {
    let Some(Seen { head, .. }) = seen.first() else { return Ok(Vec::new()) };
    let head = Head { title: title.to_owned(), ..head.clone() };
    if head.picture.lattice.is_some() {
        return seen.iter().map(|seen| of_amoebots(&head, seen, colouring)).collect();
    }
    let all: Vec<&FrameConfiguration> = seen.iter().map(|seen| &seen.configuration).collect();
    let drawing = FrameDrawing::new(&head, colouring, &all).ok_or_else(|| {
        if head.nodes > NODES_MAX {
            format!("{} nodes (accepted: 1 to {NODES_MAX})", head.nodes)
        } else {
            "the nodes have no positions (accepted: a run of nodes on a graph, or of amoebots)".to_owned()
        }
    })?;
    Ok(seen.iter().map(|seen| drawing.svg(&seen.configuration, seen.moment)).collect())
}

fn of_amoebots(head: &Head, seen: &Seen, colouring: &ColumnColours) -> Result<String, String> {
    let Seen { configuration, moment: step, .. } = seen;
    let number = |key: &str, node: usize| match configuration.columns.get(head.column(key)?)?.get(node)? {
        NodeValue::Number(number) => i32::try_from(*number).ok(),
        NodeValue::Class(class) => i32::try_from(*class).ok(),
        _ => None,
    };
    let cell = |x: &str, y: &str, node| Cell::new(number(x, node)?, number(y, node)?).ok();
    let body = |node| {
        let (at, tail) = (cell("head_x", "head_y", node)?, cell("tail_x", "tail_y", node)?);
        if at == tail { Some(Body::contracted(at)) } else { Body::expanded(at, tail) }
    };
    let nodes = head.nodes as usize;
    let bodies: Option<Vec<Body>> = (0..nodes).map(body).collect();
    let bodies =
        bodies.ok_or("amoebots without cells (accepted: columns head_x, head_y, tail_x and tail_y)")?;
    let sets = lock_set_outlines(&bodies, held(head, configuration));
    let names = colouring.names();
    // There are few colours: the last class stands for all others.
    let is_cut = names.len() > CLASSES_MAX;
    let mut classes: Vec<String> = names.iter().take(CLASSES_MAX).cloned().collect();
    if let (true, Some(last)) = (is_cut, classes.last_mut()) {
        "other".clone_into(last);
    }
    let class = |node: usize| colouring.class(head, configuration, node as u32).min(CLASSES_MAX - 1);
    let bodies = bodies.into_iter().enumerate().map(|(node, body)| (body, class(node)));
    let failed = |error: PictureError| error.to_string();
    let picture = Picture::new(bodies, classes).map_err(failed)?.with_hatching().with_lock_sets(sets);
    let objects = head.picture.objects.iter().filter_map(|&(x, y)| Cell::new(x, y).ok()).collect();
    // Labels start at 1 in the common frame, as directions in a film do, where 0 is none.
    let port = |direction: Option<i32>, end: End| {
        let label = u8::try_from(direction?).ok()?;
        AmoebotPort::at(end).find(|port| port.label() == label)
    };
    let details = (0..nodes).map(|node| {
        let end = if number("parent_at", node) == Some(1) { End::Tail } else { End::Head };
        let detail = Detail {
            parent: port(number("parent", node), end),
            direction: port(number("direction", node), End::Head),
            tokens: number("tokens", node).and_then(|tokens| u8::try_from(tokens).ok()).unwrap_or(0),
        };
        (Orientation::COMMON, detail)
    });
    let picture = picture.with_objects(objects).map_err(failed)?.with_details(details);
    let picture = if head.picture.land.is_empty() {
        picture
    } else {
        let land = &head.picture.land;
        let is_land = |cell: Cell| land.contains(&(cell.x(), cell.y()));
        picture.with_object_name("anchor").with_landscape(is_land)
    };
    let title = format!("{}, {} {step}", head.title, head.time);
    Ok(picture.with_title(title).to_svg())
}

/// The locked amoebots, each with its holder.
fn held(head: &Head, configuration: &FrameConfiguration) -> Vec<(usize, usize)> {
    let holders = head.column("holder").map_or(&[][..], |column| &configuration.columns[column]);
    let holders = holders.iter().enumerate();
    let pair = |(node, holder): (usize, &NodeValue)| match *holder {
        NodeValue::Node(Some(holder)) => Some((node, holder as usize)),
        _ => None,
    };
    holders.filter_map(pair).collect()
}
