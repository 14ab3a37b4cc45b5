import { CHANGED, GRANTED, VIOLATED } from "./head.js";
import { CanvasDrawing } from "./draw/canvas.js";
import { Picture } from "./picture.js";
import { classesInWords, eventInWords, momentInWords } from "./words.js";
import { figurePng, figureSvg, figuresOfRun, fileName, save } from "./export.js";
import { gifOfRun, videoOfRun } from "./video.js";
import { Player, SPEEDS } from "./player.js";
import { Link, isEmbedded, stepOfLink, wordsOfLink } from "./link.js";
import { Chart } from "./counts.js";
import { Inspector, made } from "./inspector.js";
import { showChoices, showFacts } from "./shown.js";
import { Events } from "./events.js";
import { Pointers } from "./pointers.js";
import { fillHelp, listenToKeys } from "./keys.js";
import { Announcer } from "./announcer.js";

/** Pixels above the picture for the text of a frame. */
const EVENT_HEIGHT = 26;
/** Up to this number of frames a second, bodies and messages glide; for this number of milliseconds at most, and after a single step. */
const GLIDE_SPEED = 20;
const GLIDE_LONGEST = 450;
const GLIDE_STEP = 180;
/** A picture higher and wider than this number of pixels is enlarged. */
const LARGE = 1000;

/** An element of the page by its id. */
export function part(id) {
  return document.getElementById(id);
}

/** Whether the window has no room for panels next to the picture. */
function isSmall() {
  return innerWidth < 700 || innerHeight < 420;
}

/** Shows an error in one line, and stops playing. @param {Error} error */
export function showDamage(error) {
  part("damage").textContent = error.message;
  part("damage").hidden = false;
  document.body.classList.add("damaged");
}

const bytesOf = (blob) => blob && { blob, told: `${(blob.size / 1e6).toFixed(1)} MB` };

/** The files of a whole run, by the ending of their names: the button, and what makes them. */
const RUNS = {
  zip: {
    button: "save-all",
    make: async (picture, width, height, _speed, progress, signal) => {
      const made = await figuresOfRun(picture, width, height, progress, signal);
      return made && { blob: made.archive, told: `${made.pictures} pictures${made.every > 1 ? `, every ${made.every} frames` : ""}` };
    },
  },
  webm: { button: "save-video", make: async (...asked) => bytesOf(await videoOfRun(...asked)) },
  gif: { button: "save-gif", make: async (...asked) => bytesOf(await gifOfRun(...asked)) },
};

/** The page with a film in it: all its parts. It listens until it is closed; then another film can use the page. */
export class Page {
  /** @param {import("./film.js").Film} film */
  constructor(film) {
    this.film = film;
    this.listening = new AbortController();
    const { signal } = this.listening;
    this.picture = new Picture(film);
    this.drawing = new CanvasDrawing(part("picture"));
    this.link = new Link();
    this.announcer = new Announcer(part("said"));
    this.isSaving = false;
    /** Ends the export of all frames, while there is one. @type {AbortController | null} */
    this.saving = null;
    this.player = new Player(film, { shown: () => this.shown(), changed: () => this.changed(), failed: (error) => this.isClosed || showDamage(error) });
    this.chart = new Chart(film.head, part("counts"), (step) => this.seekStep(step), signal);
    this.darkness = matchMedia("(prefers-color-scheme: dark)");
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    /** The frame that was drawn last. */
    this.drawnFrame = -2;
    /** "system", "light" or "dark". */
    this.theme = "system";
    this.setUp();
  }

  setUp() {
    const { head } = this.film;
    part("title").textContent = head.title;
    document.title = head.title;
    part("time-word").textContent = head.time;
    document.body.classList.toggle("embed", isEmbedded());
    document.body.classList.toggle("counts-only", head.nodes === 0);
    for (const id of ["speed", "shown", "inspector", "events", "facts", "help"]) part(id).replaceChildren();
    for (const speed of SPEEDS) {
      const option = made("option", `${speed}/s`);
      option.value = String(speed);
      part("speed").append(option);
    }
    this.measure();
    // A slow speed for readers who prefer reduced motion.
    if (this.motion.matches) this.player.speed = 2;
    this.inspector = new Inspector(this.film, part("inspector"), {
      choose: (node) => this.choose(node),
      go: (frame) => this.jumpTo(frame),
      isPlaying: () => this.player.isPlaying,
    });
    showChoices(this.picture, part("shown"), () => this.redraw());
    new Events(this.film, part("events"), (frame) => this.jumpTo(frame));
    showFacts(head, part("facts"));
    fillHelp(part("help"));
    if (isSmall() && !document.body.classList.contains("without-panel")) this.togglePanel();
    this.inspector.show();
    this.listen();
    this.changed();
    this.applyTheme();
  }

  listen() {
    const { player } = this;
    const { signal } = this.listening;
    const on = (target, event, action) => target.addEventListener(event, action, { signal });
    const clicks = {
      "to-start": () => this.jumpTo(0),
      back: () => player.step(-1),
      play: () => player.toggle(),
      on: () => player.step(1),
      "to-end": () => this.jumpTo(player.last),
      grant: (event) => this.jump(GRANTED, event.shiftKey, "grant"),
      violation: (event) => this.jump(VIOLATED, event.shiftKey, "violation"),
      change: (event) => this.jump(CHANGED, event.shiftKey, "change of the graph"),
      fit: () => this.fit(),
      theme: () => this.nextTheme(),
      "toggle-panel": () => this.togglePanel(),
      "help-open": () => part("help").showModal(),
      "save-svg": () => this.save("svg"),
      "save-png": () => this.save("png"),
      "save-all": () => this.save("zip"),
      "save-video": () => this.save("webm"),
      "save-gif": () => this.save("gif"),
    };
    for (const [id, action] of Object.entries(clicks)) on(part(id), "click", action);
    on(part("scrubber"), "input", () => {
      player.pause();
      player.go(Number(part("scrubber").value));
    });
    on(part("speed"), "change", () => {
      player.speed = Number(part("speed").value);
      this.changed();
    });
    on(part("step"), "change", () => {
      // The box shows the present step again, unless a step was written.
      const written = part("step").value.replace(/\s/g, "");
      if (/^\d+$/.test(written)) this.seekStep(Number(written));
      else part("step").value = String(this.film.stepOf(this.film.frame));
    });
    const keys = {
      " ": () => player.toggle(),
      ArrowRight: (shift) => player.step(shift ? 10 : 1),
      ArrowLeft: (shift) => player.step(shift ? -10 : -1),
      Home: () => this.jumpTo(0),
      End: () => this.jumpTo(player.last),
      "+": () => player.changeSpeed(1),
      "=": () => player.changeSpeed(1),
      "-": () => player.changeSpeed(-1),
      g: (shift) => this.jump(GRANTED, shift, "grant"),
      v: (shift) => this.jump(VIOLATED, shift, "violation"),
      c: (shift) => this.jump(CHANGED, shift, "change of the graph"),
      "[": () => this.chooseBeside(-1),
      "]": () => this.chooseBeside(1),
      Escape: () => (this.saving === null ? this.choose(null) : this.saving.abort()),
      f: () => this.fit(),
      i: () => this.zoom(1.3),
      o: () => this.zoom(1 / 1.3),
      d: () => this.nextTheme(),
      h: () => this.togglePanel(),
      "?": () => part("help").showModal(),
    };
    listenToKeys(document, keys, signal);
    new Pointers(part("picture"), this.picture, {
      moved: () => this.redraw(),
      clicked: (x, y) => this.click(this.picture.nodeAt(x, y)),
      enlarged: () => this.sizes.enlarged,
    }, signal);
    on(globalThis, "hashchange", () => {
      this.takeLink(wordsOfLink(location.hash));
      const step = stepOfLink(location.hash);
      if (step !== null && step !== this.film.stepOf(this.film.frame)) this.seekStep(step);
    });
    on(this.darkness, "change", () => this.applyTheme());
    const resized = new ResizeObserver(() => this.redraw(true));
    resized.observe(part("stage"));
    signal.addEventListener("abort", () => resized.disconnect());
  }

  /** The length of the film, and the events that can be jumped to. */
  measure() {
    const { head } = this.film;
    part("scrubber").max = String(head.frames - 1);
    const flags = head.chunks.reduce((union, chunk) => union | chunk.flags, 0);
    for (const [id, flag] of [["grant", GRANTED], ["violation", VIOLATED], ["change", CHANGED]]) part(id).disabled = (flags & flag) === 0;
  }

  /** The present position in the film: its end, or a step. @returns {{isAtEnd: boolean, step: number}} */
  get place() {
    const { player, film } = this;
    return { isAtEnd: player.target === player.last, step: film.stepOf(player.target) };
  }

  /** Goes to the position of a reader in a shorter film of the same run: to its end, or to the same step. */
  followOn({ isAtEnd, step }) {
    return this.player.go(isAtEnd ? this.player.last : this.film.frameOf(step));
  }

  /**
   * The film of a running simulation has grown. At its last frame, the new last frame is shown; elsewhere the position is kept.
   *
   * @param {string} headText @returns {Promise<void>}
   */
  grow(headText) {
    const { place, player } = this;
    const { isPlaying } = player;
    const isThinner = this.film.grow(headText);
    this.measure();
    this.chart.update();
    this.redraw(true);
    if (isPlaying && !isThinner) return Promise.resolve();
    player.pause();
    const going = this.followOn(place);
    if (isPlaying) player.play();
    return going;
  }

  /** Stops listening: the page is for another film. */
  close() {
    this.player.pause();
    this.link.close();
    this.listening.abort();
  }

  /** The first displayed frame: that in the address, otherwise the start. */
  async start() {
    const words = wordsOfLink(location.hash);
    await this.player.go(this.film.frameOf(stepOfLink(location.hash) ?? 0));
    if (this.film.configuration.chunk !== null) this.takeLink(words);
  }

  seekStep(step) {
    this.player.pause();
    return this.player.go(this.film.frameOf(step));
  }

  jumpTo(frame) {
    this.player.pause();
    return this.player.go(frame);
  }

  async jump(flag, isBack, what) {
    if (!(await this.player.jump(flag, isBack ? -1 : 1))) this.tell(`no ${what} ${isBack ? "before" : "after"} this ${this.film.head.time}`);
  }

  /** Whether another film has the page: what was begun for this one must change nothing. */
  get isClosed() {
    return this.listening.signal.aborted;
  }

  /** Updates the page after a frame was displayed. */
  shown() {
    if (this.isClosed) return;
    const { film } = this;
    const step = film.stepOf(film.frame);
    part("scrubber").value = String(film.frame);
    part("scrubber").setAttribute("aria-valuetext", momentInWords(film));
    if (document.activeElement !== part("step")) part("step").value = String(step);
    this.chart.show(step);
    this.keepLink();
    this.glide();
    this.tell(eventInWords(film));
    part("event").classList.toggle("violated", (film.action.flags & VIOLATED) !== 0);
    this.inspector.show();
    this.draw();
  }

  /** Keeps the step, the node, the colours and the view in the address. */
  keepLink() {
    const { film, picture } = this;
    const view = picture.showsAll ? null : picture.viewIn(this.sizes).map((value) => Number(value.toPrecision(6))).join(",");
    const colour = picture.colourBy === picture.firstColour ? null : (film.head.columns[picture.colourBy]?.key ?? null);
    this.link.keep({ t: film.stepOf(film.frame), node: picture.selected, colour, view });
  }

  /** Takes node, colours and view of the address. @param {Map<string, string>} words */
  takeLink(words) {
    const { film, picture } = this;
    const node = Number(words.get("node") ?? NaN);
    if (Number.isSafeInteger(node) && node >= 0 && node < film.head.nodes) this.choose(node);
    const colour = film.head.columns.findIndex((column) => column.key === words.get("colour"));
    if (picture.colourings.includes(colour)) {
      picture.colourBy = colour;
      part("colour").value = String(colour);
    }
    const view = (words.get("view") ?? "").split(",").map(Number);
    if (view.length === 3 && view.every(Number.isFinite) && view[2] > 0) picture.view(view, this.sizes);
  }

  /** Between a frame and the next, bodies and messages move evenly, unless the reader prefers reduced motion or the speed is high. */
  glide() {
    const { film, picture, player } = this;
    const isNext = Math.abs(film.frame - this.drawnFrame) === 1;
    this.drawnFrame = film.frame;
    picture.glide = null;
    if (!isNext || !picture.canGlide || player.speed > GLIDE_SPEED || this.motion.matches) return;
    const glide = picture.keepPlaces();
    const lasts = player.isPlaying ? Math.min(GLIDE_LONGEST, 900 / player.speed) : GLIDE_STEP;
    picture.glide = glide;
    let since = null;
    const move = (now) => {
      if (picture.glide !== glide || this.isClosed) return;
      since ??= now;
      glide.part = Math.min(1, (now - since) / lasts);
      if (glide.part === 1) picture.glide = null;
      this.draw();
      if (glide.part < 1) requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  /** Updates the page after playing has started or stopped, or the speed has changed. */
  changed() {
    const { isPlaying, speed } = this.player;
    part("play-sign").setAttribute("d", isPlaying ? "M3 2h4v12h-4zM9 2h4v12h-4z" : "M4 2v12l10-6z");
    part("play").setAttribute("aria-label", isPlaying ? "pause" : "play");
    part("speed").value = String(speed);
    // These are not computed while playing.
    if (!isPlaying && this.film.configuration.chunk !== null) this.inspector.show();
  }

  tell(text) {
    part("event").textContent = text;
  }

  /** The size of the picture; on a very large screen its pixels are larger than those of the page. */
  get sizes() {
    const { clientWidth, clientHeight } = part("stage");
    const enlarged = Math.max(1, Math.min(clientWidth, clientHeight) / LARGE);
    return { width: clientWidth / enlarged, height: clientHeight / enlarged, enlarged };
  }

  draw() {
    const { film, picture, drawing } = this;
    if (film.configuration.chunk === null) return;
    const { width, height, enlarged } = this.sizes;
    drawing.draw(picture.scene(width, height, { free: EVENT_HEIGHT / enlarged }), enlarged * (devicePixelRatio || 1));
    const words = [momentInWords(film), eventInWords(film), classesInWords(picture)].filter((text) => text !== "");
    this.announcer.say(words.join(". "));
    part("picture").setAttribute("aria-label", `the configuration, ${words[0]}`);
  }

  /** Requests a redraw; several requests within one frame of the screen cause one redraw. */
  redraw(alsoChart = false) {
    if (this.film.configuration.chunk !== null) this.keepLink();
    this.chartIsOld ||= alsoChart;
    if (this.drawsSoon) return;
    this.drawsSoon = true;
    requestAnimationFrame(() => {
      this.drawsSoon = false;
      if (this.isClosed) return;
      this.draw();
      if (this.chartIsOld) this.chart.draw(this.picture.isDark, devicePixelRatio || 1, this.sizes.enlarged);
      this.chartIsOld = false;
    });
  }

  fit() {
    this.picture.showsAll = true;
    this.redraw();
  }

  zoom(factor) {
    const { width, height } = this.sizes;
    this.picture.camera.zoom(factor, width / 2, height / 2);
    this.picture.showsAll = false;
    this.redraw();
  }

  choose(node) {
    this.picture.selected = node;
    this.inspector.choose(node);
    this.redraw();
  }

  /** Chooses a node in the picture; in a small window this opens the panels, which are closed there, at that node. */
  click(node) {
    this.choose(node);
    if (node === null || !isSmall() || !document.body.classList.contains("without-panel")) return;
    this.togglePanel();
    part("panel").scrollTop = part("inspector").offsetTop;
  }

  chooseBeside(way) {
    const { nodes } = this.film.head;
    if (nodes === 0) return;
    const { selected } = this.picture;
    this.choose(selected === null ? (way > 0 ? 0 : nodes - 1) : (selected + way + nodes) % nodes);
  }

  togglePanel() {
    const isHidden = document.body.classList.toggle("without-panel");
    part("toggle-panel").setAttribute("aria-expanded", String(!isHidden));
  }

  nextTheme() {
    this.theme = { system: this.darkness.matches ? "light" : "dark", light: "dark", dark: "light" }[this.theme];
    if (this.theme === (this.darkness.matches ? "dark" : "light")) this.theme = "system";
    this.applyTheme();
  }

  applyTheme() {
    const isDark = this.theme === "system" ? this.darkness.matches : this.theme === "dark";
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.picture.isDark = isDark;
    this.redraw(true);
  }

  async save(ending) {
    // The button of a running export ends it.
    if (this.saving?.ending === ending) this.saving.abort();
    if (this.isSaving) return;
    this.isSaving = true;
    const { film, picture, player } = this;
    const { width, height } = this.sizes;
    try {
      if (ending === "svg") save(new Blob([figureSvg(picture, width, height)], { type: "image/svg+xml" }), fileName(film, "svg"));
      if (ending === "png") save(await figurePng(picture, width, height), fileName(film, "png"));
      if (RUNS[ending] !== undefined) await this.saveRun(ending, width, height);
    } catch (error) {
      this.tell(error.message);
    } finally {
      this.isSaving = false;
      this.redraw();
    }
  }

  /** Saves the whole run as a file of many pictures; its button ends that meanwhile. */
  async saveRun(ending, width, height) {
    const { film, picture, player } = this;
    const button = part(RUNS[ending].button);
    const name = button.textContent;
    const before = film.frame;
    player.pause();
    this.saving = Object.assign(new AbortController(), { ending });
    const signal = AbortSignal.any([this.saving.signal, this.listening.signal]);
    button.textContent = "Cancel";
    let made = null;
    try {
      const progress = (done, all) => this.tell(`picture ${done} of ${all}`);
      made = await RUNS[ending].make(picture, width, height, player.speed, progress, signal);
    } finally {
      this.saving = null;
      button.textContent = name;
      if (!this.isClosed) await player.go(before);
    }
    // The name has the step at which the reader is.
    if (made !== null) save(made.blob, fileName(film, ending));
    this.tell(made?.told ?? "no pictures: cancelled");
  }
}
