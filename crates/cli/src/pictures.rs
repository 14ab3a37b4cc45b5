//! Moments of films as SVG: amoebots as in all pictures of them, everything else as nodes and edges.

use acrasin_amoebot::model::orientation::Orientation;
use acrasin_amoebot::picture::{CLASSES_MAX, Detail, Picture};
use acrasin_amoebot::{Body, Cell, End, Port};
use acrasin_report::film::{Configuration, Head, Value, drawing};

/// A moment as SVG; `None` of more nodes than one can see, or none.
pub(crate) fn svg(head: &Head, configuration: &Configuration, step: u64) -> Option<String> {
    match head.picture.lattice {
        Some(_) => of_amoebots(head, configuration, step),
        None => drawing(head, configuration, step),
    }
}

fn of_amoebots(head: &Head, configuration: &Configuration, step: u64) -> Option<String> {
    let number = |key: &str, node: usize| match configuration.columns.get(head.column(key)?)?.get(node)? {
        Value::Number(number) => i32::try_from(*number).ok(),
        Value::Class(class) => i32::try_from(*class).ok(),
        _ => None,
    };
    let cell = |x: &str, y: &str, node| Cell::new(number(x, node)?, number(y, node)?).ok();
    let body = |node| {
        let (at, tail) = (cell("head_x", "head_y", node)?, cell("tail_x", "tail_y", node)?);
        if at == tail { Some(Body::contracted(at)) } else { Body::expanded(at, tail) }
    };
    let nodes = head.nodes as usize;
    let bodies: Option<Vec<Body>> = (0..nodes).map(body).collect();
    let state = |node| number("state", node).map_or(0, |state| state.unsigned_abs() as usize);
    let names = head.column("state").map_or(&[][..], |column| &head.columns[column].values);
    let bodies = bodies?.into_iter().enumerate().map(|(node, body)| (body, state(node).min(CLASSES_MAX - 1)));
    let picture = Picture::new(bodies, names.iter().take(CLASSES_MAX).cloned()).ok()?;
    let objects = head.picture.objects.iter().filter_map(|&(x, y)| Cell::new(x, y).ok()).collect();
    // In the common frame a direction is the label of its port.
    let port = |direction: Option<i32>, end: End| {
        let label = u8::try_from(direction?.checked_sub(1)?).ok()?;
        Port::at(end).find(|port| port.label() == label)
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
    let picture = picture.with_objects(objects).with_details(details);
    let picture = if head.picture.land.is_empty() {
        picture
    } else {
        let land = &head.picture.land;
        let is_land = |cell: Cell| land.contains(&(cell.x(), cell.y()));
        picture.calling_objects("anchor").with_landscape(is_land)
    };
    let title = format!("{}, {} {step}", head.title, head.time);
    Some(picture.titled(title).to_svg())
}
