/**
 * A picture as a list of batches, in pixels, the lowest first. Each batch has one appearance and many positions, so that 10^5 nodes are
 * a few batches, and the screen and an SVG are drawn from the same list. Kinds of batches:
 *
 * - `dots`: squares of `size` pixels, nothing but `fill`; `points` x, y
 * - `marks`: shapes of one `radius`: `shape`, `fill`, `hatching`, `stroke`, `width`, `dash`; `points` x, y
 * - `lines`: `stroke`, `width`, `dash`, `cap`; `points` x, y, x, y
 * - `capsules`: bodies of two places: `width` (the thickness), `fill`, `hatching`; `points` x, y, x, y
 * - `tips`: points of arrows: `size`, `fill`; `points` x, y, right, down (where it points, of length 1)
 * - `hulls`: closed lines round places: `fill`, `stroke`, `width`, `dash`; `points` x, y of all, `sizes` how many each has
 * - `paths`: one line through places: `stroke`, `width`, `dash`; `points` x, y
 * - `areas`: rectangles: `fill`; `points` x, y, width, height
 * - `hexagons`: cells: `radius`, `fill`; `points` x, y
 * - `texts`: `fill`, `size`, `align` ("left", "middle", "end"), `bold`, `items` of {x, y, text}
 *
 * @typedef {object} Batch
 */
export class Scene {
  /** @param {number} width @param {number} height pixels @param {string} background */
  constructor(width, height, background) {
    this.width = width;
    this.height = height;
    this.background = background;
    /** @type {Batch[]} */
    this.batches = [];
  }

  /** Adds a batch, unless there is nothing in it. @param {Batch} batch */
  add(batch) {
    if (batch.points ? batch.points.length > 0 : batch.items.length > 0) this.batches.push(batch);
  }

  text(x, y, text, look) {
    this.add({ kind: "texts", align: "left", size: 13, ...look, items: [{ x, y, text }] });
  }
}

/** Many arrays of numbers by key, each to become one batch, in the order of the first use of the keys. */
export class Batches {
  constructor() {
    /** @type {Map<string, {look: object, points: number[]}>} */
    this.byKey = new Map();
  }

  /** The numbers of a key; `look()` defines the appearance of a new key. @returns {number[]} */
  points(key, look) {
    let batch = this.byKey.get(key);
    if (batch === undefined) {
      batch = { look: look(), points: [] };
      this.byKey.set(key, batch);
    }
    return batch.points;
  }

  /** @param {Scene} scene */
  into(scene) {
    for (const { look, points } of this.byKey.values()) scene.add({ ...look, points });
  }
}
