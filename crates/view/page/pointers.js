/** A pointer that moved less than this number of pixels is a click. */
const CLICK = 5;

/** Moves a picture by mouse, pen and fingers: drag, wheel, pinch; a click chooses a node. */
export class Pointers {
  /**
   * @param {HTMLCanvasElement} canvas @param {import("./picture.js").Picture} picture
   * @param {{moved: () => void, clicked: (x: number, y: number) => void, enlarged: () => number}} listener `enlarged`: pixels of the page for one of the picture
   * @param {AbortSignal} signal ends it
   */
  constructor(canvas, picture, listener, signal) {
    this.canvas = canvas;
    this.picture = picture;
    this.listener = listener;
    /** The positions of the pressed pointers. @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
    canvas.addEventListener("pointerdown", (event) => this.press(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.release(event), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const enlarged = this.listener.enlarged();
    return { x: (event.clientX - box.left) / enlarged, y: (event.clientY - box.top) / enlarged };
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const place = this.place(event);
    this.down.set(event.pointerId, place);
    this.start = this.down.size === 1 ? place : null;
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (before === undefined) return;
    const place = this.place(event);
    if (this.start !== null && Math.hypot(place.x - this.start.x, place.y - this.start.y) < CLICK) return;
    const { camera } = this.picture;
    if (this.down.size === 1) {
      camera.pan(place.x - before.x, place.y - before.y);
    } else if (this.down.size === 2) {
      const [other] = [...this.down].filter(([pointer]) => pointer !== event.pointerId).map(([, at]) => at);
      const factor = Math.hypot(place.x - other.x, place.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
      camera.zoom(factor, (place.x + other.x) / 2, (place.y + other.y) / 2);
      camera.pan((place.x - before.x) / 2, (place.y - before.y) / 2);
    }
    this.start = null;
    this.down.set(event.pointerId, place);
    this.picture.showsAll = false;
    this.listener.moved();
  }

  release(event) {
    if (!this.down.delete(event.pointerId)) return;
    if (this.start !== null && event.type === "pointerup") this.listener.clicked(this.start.x, this.start.y);
    this.start = null;
  }

  wheel(event) {
    event.preventDefault();
    const { x, y } = this.place(event);
    this.picture.camera.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), x, y);
    this.picture.showsAll = false;
    this.listener.moved();
  }
}
