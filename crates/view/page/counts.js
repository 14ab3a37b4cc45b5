import { classColour, inks } from "./palette.js";
import { CanvasDrawing } from "./draw/canvas.js";
import { drawSvg } from "./draw/svg.js";
import { Scene } from "./scene.js";
import { grouped } from "./words.js";
import { save } from "./export.js";

/** Pixels around the curves: numbers of the axes, the names above. */
const CHART_LEFT = 52;
const CHART_RIGHT = 12;
const CHART_TOP = 28;
const CHART_BOTTOM = 18;
/** Pixels of the names that the buttons of the chart cover, on its right side. */
const TOOLS = 210;
/** Names in the chart. */
const NAMES_MOST = 10;
/** The maximum number of lines: of more counts those with the highest peaks are drawn. */
const LINES_MOST = 64;
/** Dashes are a second channel besides the colour. */
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
/** The size of the chart as an SVG. */
const SVG_SIZE = { width: 720, height: 360 };

/** Counts over time with axes, and a cursor at the displayed step: a click goes to a step, the wheel scales the time, a double click shows the whole. */
export class Chart {
  /** @param {object} head @param {HTMLElement} box with a canvas, a cursor, values and buttons @param {(step: number) => void} chosen @param {AbortSignal} signal ends it */
  constructor(head, box, chosen, signal) {
    this.head = head;
    this.box = box;
    this.canvas = box.querySelector("canvas");
    this.cursor = box.querySelector("#cursor");
    this.values = box.querySelector("#chart-values");
    this.enlarged = 1;
    this.ratio = 1;
    this.isDark = false;
    this.isLog = false;
    /** The displayed steps; null shows all, also of a film that grows. @type {{from: number, to: number} | null} */
    this.range = null;
    this.update();
    this.listen(chosen, signal);
  }

  listen(chosen, signal) {
    const { canvas, head } = this;
    const on = (target, event, action, more = {}) => target.addEventListener(event, action, { signal, ...more });
    on(canvas, "pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      chosen(this.stepAt(event));
    });
    on(canvas, "pointermove", (event) => {
      if (event.buttons > 0) chosen(this.stepAt(event));
      this.hover(event);
    });
    on(canvas, "pointerleave", () => (this.values.hidden = true));
    on(canvas, "wheel", (event) => {
      event.preventDefault();
      const { from, to } = this.shown;
      const at = this.stepAt(event);
      const factor = Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015));
      const range = { from: Math.max(0, at - (at - from) * factor), to: Math.min(head.steps, at + (to - at) * factor) };
      if (range.to - range.from < Math.min(10, head.steps)) return;
      this.range = range.from === 0 && range.to === head.steps ? null : range;
      this.redraw();
    }, { passive: false });
    on(canvas, "dblclick", () => {
      this.range = null;
      this.redraw();
    });
    const log = this.box.querySelector("#chart-log");
    log.setAttribute("aria-pressed", "false");
    on(log, "click", () => {
      this.isLog = !this.isLog;
      log.setAttribute("aria-pressed", String(this.isLog));
      this.redraw();
    });
    on(this.box.querySelector("#chart-csv"), "click", () => save(new Blob([this.csv()], { type: "text/csv" }), "counts.csv"));
    on(this.box.querySelector("#chart-svg"), "click", () => save(new Blob([this.svg()], { type: "image/svg+xml" }), "counts.svg"));
    const large = this.box.querySelector("#chart-large");
    on(large, "click", () => large.setAttribute("aria-pressed", String(this.box.classList.toggle("large"))));
    const resized = new ResizeObserver(() => this.redraw());
    resized.observe(this.box);
    signal.addEventListener("abort", () => resized.disconnect());
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
      const ends = this.lines.map((name) => `${names[name]} from ${values[0][name]} to ${values.at(-1)[name]}`);
      this.canvas.setAttribute("aria-label", `counts over time: ${ends.slice(0, NAMES_MOST).join(", ")}`);
    }
  }

  /** The displayed steps. */
  get shown() {
    return this.range ?? { from: 0, to: this.head.steps };
  }

  /** The step at a pointer. */
  stepAt(event) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const part = (event.clientX - left - CHART_LEFT * this.enlarged) / Math.max(1, width - (CHART_LEFT + CHART_RIGHT) * this.enlarged);
    const { from, to } = this.shown;
    return Math.round(from + Math.min(Math.max(part, 0), 1) * (to - from));
  }

  /** Shows the counts at a pointer. */
  hover(event) {
    const { step, values, names } = this.head.counts;
    const wanted = this.stepAt(event);
    let sample = 0;
    while (sample + 1 < step.length && step[sample + 1] <= wanted) sample += 1;
    const rows = this.lines.filter((name) => values[sample][name] > 0).sort((left, right) => values[sample][right] - values[sample][left]);
    const rest = rows.length - NAMES_MOST;
    const said = rows.slice(0, NAMES_MOST).map((name) => `${names[name]} ${grouped(values[sample][name])}`);
    this.values.textContent = `${this.head.time} ${grouped(step[sample])}: ${said.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    this.values.hidden = false;
  }

  /** The colour of a count: that of the class with its name, otherwise by its position. */
  colour(ink, at) {
    const state = this.head.columns.find((column) => column.key === "state" && column.kind === "class");
    const index = state === undefined ? -1 : state.values.indexOf(this.head.counts.names[at]);
    return classColour(ink, index < 0 ? at : index);
  }

  /** The chart as a list of batches. @param {number} width @param {number} height @param {number} kept pixels of the line of names that stay free */
  scene(width, height, isDark, kept) {
    const { head, lines, most, isLog } = this;
    const { names, step, values } = head.counts;
    const { from, to } = this.shown;
    const ink = inks(isDark);
    const scene = new Scene(width, height, ink.background);
    const right = width - CHART_RIGHT;
    const bottom = height - CHART_BOTTOM;
    const across = (at) => CHART_LEFT + ((at - from) / Math.max(1e-9, to - from)) * (right - CHART_LEFT);
    // On the scale of powers, 0 is at the bottom, a little below 1.
    const scaled = isLog ? (count) => Math.max(0, Math.log10(Math.max(count, 0.5)) - Math.log10(0.5)) : (count) => count;
    const down = (count) => bottom - (scaled(count) / scaled(most)) * (bottom - CHART_TOP);
    const room = Math.max(1, Math.floor((bottom - CHART_TOP) / 26));
    const levels = isLog ? powers(most, room) : niceNumbers(0, most, room);
    const moments = niceNumbers(from, to, Math.max(1, Math.floor((right - CHART_LEFT) / 110)));
    scene.add({ kind: "lines", stroke: ink.lattice, width: 1, points: levels.flatMap((level) => [CHART_LEFT, down(level), right, down(level)]) });
    scene.add({ kind: "lines", stroke: ink.edge, width: 1, points: [CHART_LEFT, CHART_TOP, CHART_LEFT, bottom, CHART_LEFT, bottom, right, bottom, ...moments.flatMap((at) => [across(at), bottom, across(at), bottom + 4])] });
    scene.add({ kind: "texts", fill: ink.faint, size: 10.5, align: "end", items: levels.map((level) => ({ x: CHART_LEFT - 5, y: down(level), text: short(level) })) });
    const label = (at) => ({ x: Math.min(across(at), right - 14), y: bottom + 11, text: short(at) });
    scene.add({ kind: "texts", fill: ink.faint, size: 10.5, align: "middle", items: moments.map(label) });
    // The samples within the range, and one on each side, which is cut at the edge.
    let first = 0;
    while (first + 1 < step.length && step[first + 1] < from) first += 1;
    let last = step.length - 1;
    while (last > first && step[last - 1] > to) last -= 1;
    for (const name of lines) {
      const points = [];
      for (let at = first; at <= last; at += 1) points.push(Math.min(Math.max(across(step[at]), CHART_LEFT), right), down(values[at][name]));
      scene.add({ kind: "paths", stroke: this.colour(ink, name), width: 1.8, dash: DASHES[name % DASHES.length], points });
    }
    let x = CHART_LEFT;
    for (const name of lines.slice(0, NAMES_MOST)) {
      const needed = 30 + 6.6 * names[name].length;
      if (x + needed > right - kept) break;
      scene.add({ kind: "paths", stroke: this.colour(ink, name), width: 2, dash: DASHES[name % DASHES.length], points: [x, 13, x + 16, 13] });
      scene.text(x + 20, 13, names[name], { fill: ink.ink, size: 11.5 });
      x += needed;
    }
    return scene;
  }

  /** @param {boolean} isDark @param {number} ratio pixels of the canvas for one of the page @param {number} enlarged as of the picture */
  draw(isDark, ratio, enlarged) {
    Object.assign(this, { isDark, ratio, enlarged });
    this.redraw();
  }

  redraw() {
    if (!this.isShown) return;
    const { canvas, enlarged, ratio } = this;
    const [width, height] = [canvas.clientWidth / enlarged, canvas.clientHeight / enlarged];
    if (width === 0) return;
    this.drawing ??= new CanvasDrawing(canvas);
    this.drawing.draw(this.scene(width, height, this.isDark, TOOLS), ratio * enlarged);
    this.show(this.step ?? 0);
  }

  /** Moves the cursor. @param {number} step */
  show(step) {
    this.step = step;
    if (!this.isShown) return;
    const { from, to } = this.shown;
    const part = to === from ? 0 : (step - from) / (to - from);
    const left = CHART_LEFT * this.enlarged;
    this.cursor.hidden = part < 0 || part > 1;
    this.cursor.style.left = `calc(${left}px + ${part} * (100% - ${left + CHART_RIGHT * this.enlarged}px))`;
  }

  /** All samples as a table. @returns {string} */
  csv() {
    const { names, step, values } = this.head.counts;
    const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    return `${[this.head.time, ...names].map(cell).join(",")}\n${step.map((at, row) => `${[at, ...values[row]].join(",")}\n`).join("")}`;
  }

  /** The displayed range as an SVG document. @returns {string} */
  svg() {
    const { width, height } = SVG_SIZE;
    return drawSvg(this.scene(width, height, this.isDark, 0), `${this.head.title}: counts over time`);
  }
}

/** Round numbers from one to another, about so many. */
function niceNumbers(from, to, count) {
  const raw = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-9)));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= raw));
  const numbers = [];
  for (let at = Math.ceil(from / step); at * step <= to; at += 1) numbers.push(at * step);
  return numbers;
}

/** 0 and powers of ten up to a number, at most so many. */
function powers(most, count) {
  const all = [0];
  for (let power = 1; power <= most; power *= 10) all.push(power);
  const every = Math.ceil(all.length / Math.max(2, count));
  return all.filter((_, at) => at === 0 || (at - 1) % every === 0);
}

/** A number in few characters: 12 000 is 12k. */
function short(number) {
  for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= 10 * unit || (number >= unit && number % unit === 0)) return `${Math.round((10 * number) / unit) / 10}${letter}`;
  }
  return String(number);
}
