import { classColour, inks } from "./palette.js";

const LEFT = 8;
const RIGHT = 8;
const TOP = 16;
const BOTTOM = 6;
/** Names in the chart. */
const NAMES_MOST = 10;
/** The maximum number of lines: of more counts those with the highest peaks are drawn. */
const LINES_MOST = 64;

/** Counts over time: drawn once for each size, with a cursor at the displayed step; a click goes to a step. */
export class Chart {
  /** @param {object} head @param {HTMLElement} box with a canvas and a cursor @param {(step: number) => void} chosen @param {AbortSignal} signal ends it */
  constructor(head, box, chosen, signal) {
    this.head = head;
    this.box = box;
    this.canvas = box.querySelector("canvas");
    this.cursor = box.querySelector("#cursor");
    this.enlarged = 1;
    this.update();
    const seek = (event) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      const part = (event.clientX - left - LEFT * this.enlarged) / Math.max(1, width - (LEFT + RIGHT) * this.enlarged);
      chosen(Math.round(Math.min(Math.max(part, 0), 1) * head.steps));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    }, { signal });
    this.canvas.addEventListener("pointermove", (event) => event.buttons > 0 && seek(event), { signal });
  }

  /** Updates the counts. */
  update() {
    const { head } = this;
    this.isShown = head.counts.names.length > 0 && head.counts.step.length > 1 && head.steps > 0;
    this.box.hidden = !this.isShown;
    const { names, values } = head.counts;
    const peaks = names.map((_, name) => values.reduce((most, row) => Math.max(most, row[name]), 0));
    /** The counts that have a line, in their order. */
    this.lines = [...names.keys()].sort((left, right) => peaks[right] - peaks[left] || left - right).slice(0, LINES_MOST).sort((left, right) => left - right);
    this.most = peaks.reduce((most, peak) => Math.max(most, peak), 1);
    if (this.isShown && values.length > 0) {
      const ends = names.map((name, at) => `${name} from ${values[0][at]} to ${values.at(-1)[at]}`);
      this.canvas.setAttribute("aria-label", `counts over time: ${ends.slice(0, NAMES_MOST).join(", ")}`);
    }
  }

  /** The colour of a count: that of the class with its name, otherwise by its position. */
  colour(ink, at) {
    const state = this.head.columns.find((column) => column.key === "state" && column.kind === "class");
    const index = state === undefined ? -1 : state.values.indexOf(this.head.counts.names[at]);
    return classColour(ink, index < 0 ? at : index);
  }

  /** @param {boolean} isDark @param {number} ratio pixels of the canvas for one of the page @param {number} enlarged as of the picture */
  draw(isDark, ratio, enlarged) {
    if (!this.isShown) return;
    const { canvas, head } = this;
    const { names, step, values } = head.counts;
    this.enlarged = enlarged;
    const width = canvas.clientWidth / enlarged;
    const height = canvas.clientHeight / enlarged;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    const ink = inks(isDark);
    const context = canvas.getContext("2d");
    context.setTransform(ratio * enlarged, 0, 0, ratio * enlarged, 0, 0);
    context.clearRect(0, 0, width, height);
    const { most, lines } = this;
    const across = (at) => LEFT + (step[at] / head.steps) * (width - LEFT - RIGHT);
    const down = (count) => height - BOTTOM - (count / most) * (height - TOP - BOTTOM);
    context.strokeStyle = ink.edge;
    context.lineWidth = 1;
    context.strokeRect(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM);
    // Dashes are a second channel besides the colour.
    const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
    lines.forEach((name) => {
      context.beginPath();
      context.setLineDash(dashes[name % dashes.length]);
      context.strokeStyle = this.colour(ink, name);
      context.lineWidth = 1.8;
      values.forEach((row, at) => (at === 0 ? context.moveTo(across(at), down(row[name])) : context.lineTo(across(at), down(row[name]))));
      context.stroke();
    });
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    let x = LEFT;
    for (const name of lines.slice(0, NAMES_MOST)) {
      const text = names[name];
      const room = 26 + context.measureText(text).width;
      if (x + room > width - RIGHT) break;
      context.strokeStyle = this.colour(ink, name);
      context.setLineDash(dashes[name % dashes.length]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x, TOP / 2);
      context.lineTo(x + 14, TOP / 2);
      context.stroke();
      context.fillStyle = ink.ink;
      context.fillText(text, x + 17, TOP / 2);
      x += room;
    }
  }

  /** Moves the cursor. @param {number} step */
  show(step) {
    if (!this.isShown) return;
    const part = this.head.steps === 0 ? 0 : step / this.head.steps;
    const left = LEFT * this.enlarged;
    this.cursor.style.left = `calc(${left}px + ${part} * (100% - ${left + RIGHT * this.enlarged}px))`;
  }
}
