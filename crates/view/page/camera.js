/** Limits of the pixels per unit of the plane: from the whole lattice to a single cell. */
const SCALE_LEAST = 1e-9;
const SCALE_MOST = 1e6;

/** From the plane of a film (y up) to the pixels of a picture (y down): moved and scaled, never turned. */
export class Camera {
  constructor() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
  }

  /**
   * Shows a box as large as possible.
   *
   * @param {{left: number, right: number, bottom: number, top: number}} box
   * @param {{left: number, top: number, width: number, height: number}} area pixels
   * @param {number} margin pixels kept free on each side
   * @param {number} most the maximum number of pixels per unit of the plane
   */
  fit(box, area, margin, most) {
    const across = Math.max(box.right - box.left, 1e-9);
    const up = Math.max(box.top - box.bottom, 1e-9);
    const scale = Math.min((area.width - 2 * margin) / across, (area.height - 2 * margin) / up, most);
    this.scale = Math.max(scale, SCALE_LEAST);
    this.x = area.left + area.width / 2 - (this.scale * (box.left + box.right)) / 2;
    this.y = area.top + area.height / 2 + (this.scale * (box.bottom + box.top)) / 2;
  }

  /** Moves by pixels. */
  pan(right, down) {
    this.x += right;
    this.y += down;
  }

  /** Scales by a factor; the point at these pixels stays where it is. */
  zoom(factor, across, down) {
    const scale = Math.min(Math.max(this.scale * factor, SCALE_LEAST), SCALE_MOST);
    const change = scale / this.scale;
    this.x = across - change * (across - this.x);
    this.y = down - change * (down - this.y);
    this.scale = scale;
  }

  across(x) {
    return this.x + this.scale * x;
  }

  down(y) {
    return this.y - this.scale * y;
  }

  /** A key of the view: with equal keys everything is at the same pixels. */
  get key() {
    return `${this.scale} ${this.x} ${this.y}`;
  }
}
