/** The numbers of corners of the regular shapes. */
const CORNERS = { square: 4, triangle: 3, diamond: 4, hexagon: 6, pentagon: 5 };
/** The factor from the radius of a disc to that of a shape, so that they appear equally large. */
const GROWTH = { disc: 1, square: 1.22, triangle: 1.3, diamond: 1.22, hexagon: 1.06, pentagon: 1.1, star: 1.35, cross: 1.1 };

/**
 * Draws the outline of a batch with a pen: `moveTo`, `lineTo`, `closePath`, `circle`. A context of a canvas and a path of an SVG are
 * pens, so both get the same outlines.
 */
export function trace(batch, pen) {
  const { points } = batch;
  switch (batch.kind) {
    case "dots": {
      const half = batch.size / 2;
      for (let at = 0; at < points.length; at += 2) rectangle(pen, points[at] - half, points[at + 1] - half, batch.size, batch.size);
      break;
    }
    case "marks":
      for (let at = 0; at < points.length; at += 2) mark(pen, batch.shape, points[at], points[at + 1], batch.radius);
      break;
    case "hexagons":
      for (let at = 0; at < points.length; at += 2) polygon(pen, 6, points[at], points[at + 1], batch.radius, 0);
      break;
    case "lines":
    case "capsules":
      for (let at = 0; at < points.length; at += 4) {
        pen.moveTo(points[at], points[at + 1]);
        pen.lineTo(points[at + 2], points[at + 3]);
      }
      break;
    case "tips":
      for (let at = 0; at < points.length; at += 4) tip(pen, batch.size, points[at], points[at + 1], points[at + 2], points[at + 3]);
      break;
    case "paths":
      for (let at = 0; at < points.length; at += 2) {
        if (at === 0) pen.moveTo(points[0], points[1]);
        else pen.lineTo(points[at], points[at + 1]);
      }
      break;
    case "hulls": {
      let at = 0;
      for (const size of batch.sizes) {
        for (let corner = 0; corner < size; corner += 1, at += 2) {
          if (corner === 0) pen.moveTo(points[at], points[at + 1]);
          else pen.lineTo(points[at], points[at + 1]);
        }
        pen.closePath();
      }
      break;
    }
    case "areas":
      for (let at = 0; at < points.length; at += 4) rectangle(pen, points[at], points[at + 1], points[at + 2], points[at + 3]);
      break;
  }
}

function rectangle(pen, x, y, width, height) {
  pen.moveTo(x, y);
  pen.lineTo(x + width, y);
  pen.lineTo(x + width, y + height);
  pen.lineTo(x, y + height);
  pen.closePath();
}

function mark(pen, shape, x, y, radius) {
  const size = radius * GROWTH[shape];
  if (shape === "disc") pen.circle(x, y, size);
  else if (shape === "cross") cross(pen, x, y, size);
  else if (shape === "star") star(pen, x, y, size);
  else polygon(pen, CORNERS[shape], x, y, size, shape === "square" ? 0.125 : 0);
}

/** The first corner is at the top, or turned from it by a part of a full turn. */
function polygon(pen, corners, x, y, radius, turn) {
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = 2 * Math.PI * (corner / corners + turn);
    const across = x + radius * Math.sin(angle);
    const down = y - radius * Math.cos(angle);
    if (corner === 0) pen.moveTo(across, down);
    else pen.lineTo(across, down);
  }
  pen.closePath();
}

function star(pen, x, y, radius) {
  for (let corner = 0; corner < 10; corner += 1) {
    const angle = (Math.PI * corner) / 5;
    const reach = corner % 2 === 0 ? radius : radius / 2;
    const across = x + reach * Math.sin(angle);
    const down = y - reach * Math.cos(angle);
    if (corner === 0) pen.moveTo(across, down);
    else pen.lineTo(across, down);
  }
  pen.closePath();
}

function cross(pen, x, y, radius) {
  const third = 0.38 * radius;
  const corners = [-third, -radius, third, -radius, third, -third, radius, -third, radius, third, third, third];
  for (let at = 0; at < corners.length; at += 2) {
    if (at === 0) pen.moveTo(x + corners[0], y + corners[1]);
    else pen.lineTo(x + corners[at], y + corners[at + 1]);
  }
  for (let at = 0; at < corners.length; at += 2) pen.lineTo(x - corners[at], y - corners[at + 1]);
  pen.closePath();
}

function tip(pen, size, x, y, right, down) {
  pen.moveTo(x, y);
  pen.lineTo(x - size * right - size * 0.55 * down, y - size * down + size * 0.55 * right);
  pen.lineTo(x - size * right + size * 0.55 * down, y - size * down - size * 0.55 * right);
  pen.closePath();
}

/** The lines of a hatching within a tile: x, y, x, y; a line from a point to itself is a dot. @param {string} hatching */
export function hatchingLines(hatching, tile) {
  const half = tile / 2;
  switch (hatching) {
    case "rising":
      return [-half, half, half, -half, 0, tile, tile, 0, half, tile + half, tile + half, half];
    case "falling":
      return [-half, half, half, tile + half, 0, 0, tile, tile, half, -half, tile + half, half];
    case "level":
      return [0, half, tile, half];
    case "upright":
      return [half, 0, half, tile];
    case "dots":
      return [half, half, half, half];
    default:
      return [0, half, tile, half, half, 0, half, tile];
  }
}

/** The size of a hatching over its colour: pixels of a tile and of a line. */
export function hatchingLook() {
  return { tile: 6, width: 1.3, opacity: 0.38 };
}
