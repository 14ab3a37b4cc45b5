/** The distance of two rows of the triangular lattice. */
export const HEIGHT_OF_ROW = Math.sqrt(3) / 2;
/** The number of sampled nodes from which the typical distance of nodes is computed. */
const SAMPLE = 200;

/**
 * The positions of the nodes in the plane of the film: `x[v]`, `y[v]` of node v (of an amoebot its head), `tailX`, `tailY` on a lattice.
 */
export class Places {
  /** @param {object} head a head that was checked */
  constructor(head) {
    this.head = head;
    const { nodes, picture } = head;
    this.isLattice = picture.lattice !== null;
    this.isMoving = this.isLattice || Boolean(picture.moving);
    this.x = new Float64Array(nodes);
    this.y = new Float64Array(nodes);
    this.tailX = this.isLattice ? new Float64Array(nodes) : this.x;
    this.tailY = this.isLattice ? new Float64Array(nodes) : this.y;
    if (!this.isMoving && picture.positions !== null) {
      for (let node = 0; node < nodes; node += 1) {
        this.x[node] = picture.positions[2 * node];
        this.y[node] = picture.positions[2 * node + 1];
      }
    } else if (!this.isMoving) {
      // A film without positions: a circle.
      for (let node = 0; node < nodes; node += 1) {
        const angle = (2 * Math.PI * node) / nodes;
        this.x[node] = (nodes / 6) * Math.sin(angle);
        this.y[node] = (nodes / 6) * Math.cos(angle);
      }
    }
    this.distance = this.isLattice ? 1 : null;
    this.box = null;
  }

  /** Reads the positions of a configuration; the box of everything displayed only grows. O(nodes) if they move. */
  update(configuration) {
    const { x, y, tailX, tailY } = this;
    if (this.isLattice) {
      const [headX, headY, endX, endY] = ["head_x", "head_y", "tail_x", "tail_y"].map((key) => configuration.column(key));
      for (let node = 0; node < x.length; node += 1) {
        x[node] = headX[node] + headY[node] / 2;
        y[node] = headY[node] * HEIGHT_OF_ROW;
        tailX[node] = endX === null ? x[node] : endX[node] + endY[node] / 2;
        tailY[node] = endX === null ? y[node] : endY[node] * HEIGHT_OF_ROW;
      }
    } else if (this.isMoving) {
      const across = configuration.column("px");
      const up = configuration.column("py");
      for (let node = 0; node < x.length; node += 1) {
        x[node] = across[node] / 1000;
        y[node] = up[node] / 1000;
      }
    }
    if (this.isMoving || this.box === null) this.grow();
    this.distance ??= nearDistance(x, y);
  }

  /** The present positions, to glide from. @returns {Float64Array[]} */
  kept() {
    return [this.x, this.y, this.tailX, this.tailY].map((values) => values.slice());
  }

  /** Positions between earlier ones and those of the configuration. @param {Float64Array[]} from @param {number} part 0: there, 1: here */
  glide(from, part) {
    [this.x, this.y, this.tailX, this.tailY].slice(0, this.isLattice ? 4 : 2).forEach((values, axis) => {
      const before = from[axis];
      for (let node = 0; node < values.length; node += 1) values[node] = before[node] + part * (values[node] - before[node]);
    });
  }

  grow() {
    const { head, x, y, tailX, tailY } = this;
    this.box ??= this.landscape();
    const box = this.box ?? { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (let node = 0; node < head.nodes; node += 1) {
      box.left = Math.min(box.left, x[node], tailX[node]);
      box.right = Math.max(box.right, x[node], tailX[node]);
      box.bottom = Math.min(box.bottom, y[node], tailY[node]);
      box.top = Math.max(box.top, y[node], tailY[node]);
    }
    if (box.left <= box.right) this.box = box;
  }

  /** The box of the objects (without the land, which may extend far); null if there are none. */
  landscape() {
    const cells = this.head.picture.objects;
    if (cells.length === 0) return null;
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (const cell of cells) {
      box.left = Math.min(box.left, acrossOfCell(cell));
      box.right = Math.max(box.right, acrossOfCell(cell));
      box.bottom = Math.min(box.bottom, upOfCell(cell));
      box.top = Math.max(box.top, upOfCell(cell));
    }
    return box;
  }

  /**
   * The vector from one node to another; on a torus the shortest one.
   *
   * @returns {{x: number, y: number, across: number, up: number, wraps: boolean}} `wraps`: it crosses the seam
   */
  way(from, to) {
    const { wraps } = this.head.picture;
    let across = this.x[to] - this.x[from];
    let up = this.y[to] - this.y[from];
    let overSeam = false;
    if (wraps !== null) {
      if (wraps[0] > 2 && Math.abs(across) > wraps[0] / 2) {
        across -= Math.sign(across) * wraps[0];
        overSeam = true;
      }
      if (wraps[1] > 2 && Math.abs(up) > wraps[1] / 2) {
        up -= Math.sign(up) * wraps[1];
        overSeam = true;
      }
    }
    return { across, up, wraps: overSeam };
  }
}

/** @param {[number, number]} cell */
export function acrossOfCell([x, y]) {
  return x + y / 2;
}

/** @param {[number, number]} cell */
export function upOfCell([, y]) {
  return y * HEIGHT_OF_ROW;
}

/** The typical distance of near nodes: the lower quartile of the distances to the nearest node, in a sample. */
function nearDistance(x, y) {
  const nodes = x.length;
  if (nodes < 2) return 1;
  const stride = Math.max(1, Math.floor(nodes / SAMPLE));
  const distances = [];
  for (let node = 0; node < nodes; node += stride) {
    let least = Infinity;
    for (let other = 0; other < nodes; other += 1) {
      const squared = (x[node] - x[other]) ** 2 + (y[node] - y[other]) ** 2;
      if (squared > 0 && squared < least) least = squared;
    }
    if (least < Infinity) distances.push(Math.sqrt(least));
  }
  distances.sort((left, right) => left - right);
  return distances.length === 0 ? 1 : distances[Math.floor(distances.length / 4)];
}
