import { Film } from "./film.js";
import { made } from "./inspector.js";
import { linkWith, wordsOfLink } from "./link.js";
import { Simulator } from "./simulator.js";
import { grouped } from "./words.js";

/** The maximum number of bytes of a file that is dropped onto the page. */
const FILE_MOST = 200_000_000;

/** The key of the edited text in the storage of the tab. */
const KEPT = "acrasin-playground";

/** The initial scenario, if a page contains none. */
const SCENARIO = `(
    title: "Approximate majority on a torus",
    seed: 1,
    topology: Torus(rows: 10, columns: 10),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(protocol: Library(name: "approximate-majority"), way: AnyLocked, initial: Shares({"A": 0.55, "B": 0.45})),
    stop: [OutputsAgree],
)
`;

/** The scenario as text, the output of the simulator, and the film of the run. */
export class Playground {
  /** @param {Document} page with the simulator in it @param {{show: (film: Film) => void, grow: (headText: string) => void, wait: (isWaiting: boolean) => void}} screen */
  constructor(page, screen) {
    this.screen = screen;
    try {
      this.before = sessionStorage.getItem(KEPT) ?? "";
    } catch {
      this.before = "";
    }
    /** The chunks of the film of the present run, once there are some. @type {string[] | null} */
    this.chunks = null;
    this.simulator = new Simulator(page.getElementById("simulator").textContent);
    this.examples = JSON.parse(page.getElementById("examples")?.textContent ?? "[]");
    /** Files that were dropped onto the page. @type {{name: string, bytes: Uint8Array}[]} */
    this.files = [];
    const box = page.getElementById("playground");
    box.hidden = false;
    page.body.classList.add("with-playground");
    // The text grows with the screen: a row is about 18 pixels high.
    this.rows = Math.max(10, Math.min(28, Math.floor(innerHeight / 18) - 26));
    box.append(made("h2", "Playground"), this.chooser(), this.editor(), this.controls(), this.answers());
    this.take(this.examples[0] ?? { summary: "", text: SCENARIO });
    this.restore();
    this.fromLink();
    this.changed();
    page.addEventListener("dragover", (event) => event.preventDefault());
    page.addEventListener("drop", (event) => {
      event.preventDefault();
      this.drop([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** The examples to choose from. */
  chooser() {
    const box = made("div");
    const label = made("label", "example ");
    const select = made("select");
    select.id = "example";
    this.select = select;
    /** The text that the reader edited last, while an example is in the editor. @type {string | null} */
    this.draft = null;
    /** The text as it was put into the editor. */
    this.taken = "";
    this.own = made("option", "your text");
    this.own.value = "own";
    this.own.hidden = true;
    for (const [at, { name }] of this.examples.entries()) {
      const option = made("option", name);
      option.value = String(at);
      select.append(option);
    }
    select.append(this.own);
    select.addEventListener("change", () => {
      // What was edited is kept, and stays among the examples.
      if (this.text.value !== this.taken) this.draft = this.text.value;
      if (select.value === "own") this.edit(this.draft);
      else this.take(this.examples[Number(select.value)]);
    });
    label.append(select);
    label.hidden = this.examples.length === 0;
    this.summary = made("p", "", "hint");
    box.append(label, this.summary);
    return box;
  }

  editor() {
    const label = made("label", "scenario", "above");
    this.text = made("textarea");
    this.text.id = "scenario";
    this.text.spellcheck = false;
    this.text.rows = this.rows;
    this.text.autocomplete = "off";
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
    });
    this.text.addEventListener("input", () => this.keepEdits());
    label.append(this.text);
    return label;
  }

  controls() {
    const row = made("div", "", "row");
    const label = made("label", "seed ");
    this.seed = made("input");
    this.seed.id = "seed";
    this.seed.inputMode = "numeric";
    this.seed.size = 8;
    this.seed.placeholder = "as written";
    this.seed.addEventListener("input", () => this.keepEdits());
    label.append(this.seed);
    this.start = made("button", "Run");
    this.start.id = "run";
    this.start.title = "run the scenario (Ctrl+Enter)";
    this.start.addEventListener("click", () => this.run());
    this.end = made("button", "Stop");
    this.end.id = "stop";
    this.end.addEventListener("click", () => this.simulator.stop());
    this.share = made("button", "Link");
    this.share.id = "share";
    this.share.title = "puts the scenario into the address of the page";
    this.share.addEventListener("click", () => this.toLink());
    row.append(label, this.start, this.end, this.share);
    return row;
  }

  answers() {
    const box = made("div");
    box.setAttribute("aria-live", "polite");
    this.diagnostic = made("pre", "", "diagnostic");
    this.diagnostic.id = "diagnostic";
    this.digest = made("p", "", "digest");
    this.digest.id = "digest";
    this.record = made("pre");
    this.record.id = "record";
    // Long lines scroll, also by keyboard.
    for (const [part, name] of [[this.diagnostic, "diagnostic"], [this.record, "record"]]) {
      part.tabIndex = 0;
      part.setAttribute("role", "region");
      part.setAttribute("aria-label", name);
    }
    box.append(this.diagnostic, this.digest, this.record);
    return box;
  }

  /** Puts an example into the editor. */
  take({ summary, text, files }) {
    for (const { name, text: content } of files ?? []) this.keep(name, new TextEncoder().encode(content));
    this.summary.textContent = summary ?? "";
    this.text.value = text;
    this.taken = text;
    this.clear();
    this.keepEdits();
  }

  /** Puts a text of the reader into the editor. @param {string} text */
  edit(text) {
    this.summary.textContent = "";
    this.text.value = text;
    this.taken = "";
    this.clear();
    this.keepEdits();
  }

  /** Keeps the text and the seed while the tab is open, so that a reload loses nothing. */
  keepEdits() {
    if (this.text.value !== this.taken) this.draft = this.text.value;
    this.own.hidden = this.draft === null;
    if (this.text.value !== this.taken) this.select.value = "own";
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ draft: this.draft, isShown: this.text.value === this.draft, seed: this.seed.value }));
    } catch {
      // A frame without an origin keeps nothing.
    }
  }

  /** Restores what a reload would have lost. */
  restore() {
    let kept = null;
    try {
      kept = JSON.parse(this.before);
    } catch {
      return;
    }
    if (typeof kept?.draft !== "string") return;
    this.draft = kept.draft;
    this.seed.value = String(kept.seed ?? "");
    if (kept.isShown) this.edit(kept.draft);
    this.keepEdits();
  }

  /** A file that scenarios can name. */
  keep(name, bytes) {
    this.files = [...this.files.filter((file) => file.name !== name), { name, bytes }];
  }

  /** Puts the scenario and the seed into the address of the page, compressed. @returns {Promise<void>} */
  async toLink() {
    const packed = await through(new TextEncoder().encode(this.text.value), new CompressionStream("deflate-raw"));
    const scenario = btoa(String.fromCharCode(...packed)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    const seed = this.seed.value.trim();
    try {
      history.replaceState(null, "", linkWith(location.hash, { scenario, seed: seed === "" ? null : seed }));
      this.summary.textContent = "the address of the page has the scenario now: copy it";
    } catch {
      this.summary.textContent = "this frame has no address; open the page itself";
    }
  }

  /** Takes the scenario and the seed of the address, if there are some. @returns {Promise<void>} */
  async fromLink() {
    const words = wordsOfLink(location.hash);
    if (!words.has("scenario")) return;
    try {
      const packed = atob(words.get("scenario").replace(/-/g, "+").replace(/_/g, "/"));
      const bytes = await through(Uint8Array.from(packed, (character) => character.charCodeAt(0)), new DecompressionStream("deflate-raw"));
      this.edit(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      this.seed.value = words.get("seed") ?? "";
    } catch {
      this.diagnostic.textContent = "the scenario in the address of the page is damaged";
    }
  }

  clear() {
    for (const part of [this.diagnostic, this.digest, this.record]) part.textContent = "";
  }

  changed() {
    this.start.disabled = this.simulator.isRunning;
    this.end.disabled = !this.simulator.isRunning;
  }

  /** Runs the scenario in the editor. @returns {Promise<void>} */
  async run() {
    if (this.simulator.isRunning) return;
    this.clear();
    this.digest.textContent = "runs …";
    this.screen.wait(true);
    const seed = this.seed.value.trim();
    this.chunks = null;
    const request = { text: this.text.value, name: "scenario.ron", seed: seed === "" ? null : seed };
    const running = this.simulator.run(request, this.files, (more) => this.showMore(more));
    this.changed();
    try {
      this.tell(await running);
    } catch (error) {
      this.digest.textContent = "";
      this.diagnostic.textContent = error.message;
      this.screen.wait(false);
    }
    this.changed();
  }

  /** Shows the present film of a running simulation; before there is one, its progress. @param {{head: object, first: number, chunks: string[], doing?: string}} more */
  showMore({ head, first, chunks, doing }) {
    if (doing !== undefined) {
      this.digest.textContent = `runs … ${doing.replace(/^\d+/, (steps) => grouped(Number(steps)))}`;
      return;
    }
    this.digest.textContent = `runs … ${head.time} ${grouped(head.steps)}`;
    const headText = JSON.stringify(head);
    if (this.chunks === null) {
      this.chunks = [...chunks];
      const kept = this.chunks;
      this.screen.wait(false);
      this.screen.show(new Film(headText, (chunk) => kept[chunk]), "end");
      return;
    }
    this.chunks.splice(first, Infinity, ...chunks);
    this.screen.grow(headText);
  }

  /** @param {import("./simulator.js").Answer} answer */
  tell({ diagnostic, line, record, digest, seed, film }) {
    this.diagnostic.textContent = diagnostic ?? "";
    this.digest.textContent = digest === null ? "" : `seed ${seed}, digest ${digest}`;
    this.record.textContent = record ?? "";
    this.screen.wait(false);
    if (line !== null && line !== undefined) this.mark(line);
    if (!film) return;
    const from = this.chunks === null ? "start" : "on";
    this.chunks = null;
    this.screen.show(new Film(JSON.stringify(film.head), (chunk) => film.chunks[chunk]), from);
    document.getElementById("stage").scrollIntoView({ block: "nearest" });
  }

  /** Marks a line of the text, from 1. */
  mark(line) {
    const lines = this.text.value.split("\n");
    if (line < 1 || line > lines.length) return;
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + lines[line - 1].length);
    const height = this.text.scrollHeight / lines.length;
    this.text.scrollTop = Math.max(0, height * (line - 4));
  }

  /**
   * Takes files that scenarios can name. A contact trace also becomes the topology of the scenario, if it has a path to one. Of a
   * recording its scenario and seed are taken.
   */
  async drop(files) {
    for (const file of files) {
      if (file.size > FILE_MOST) {
        this.diagnostic.textContent = `${file.name}: ${file.size} bytes (accepted: up to ${FILE_MOST})`;
        continue;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (file.name.endsWith(".ron")) {
        this.take({ summary: file.name, text: new TextDecoder().decode(bytes) });
        continue;
      }
      const recording = headerOf(bytes);
      if (recording !== null) {
        this.edit(recording.scenario);
        this.seed.value = String(recording.seed ?? "");
        this.keepEdits();
        this.summary.textContent = `the scenario and the seed of ${file.name}; its recorded steps are shown by acrasin view`;
        continue;
      }
      this.keep(file.name, bytes);
      const quoted = JSON.stringify(file.name);
      this.text.value = this.text.value.replace(/(\bpath:\s*)"[^"]*"/, (_, before) => before + quoted);
      this.keepEdits();
      this.summary.textContent = `${file.name} is here: a scenario names it by path: ${quoted}`;
    }
  }
}

/** The most bytes of a scenario in an address. */
const LINKED_MOST = 1_000_000;

/** Bytes through a stream that compresses or inflates. @param {Uint8Array} bytes @returns {Promise<Uint8Array>} @throws {Error} damaged, or too many */
async function through(bytes, stream) {
  const parts = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > LINKED_MOST) throw new Error("too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The header of a recording, which is its first line; null if the bytes are not one. @returns {{scenario: string, seed?: number | string} | null} */
function headerOf(bytes) {
  if (bytes[0] !== 123) return null;
  const end = bytes.indexOf(10);
  try {
    // A seed may have more digits than a number of JavaScript.
    const line = new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end)).replace(/("seed":)(\d+)/, '$1"$2"');
    const header = JSON.parse(line);
    return typeof header.scenario === "string" ? header : null;
  } catch {
    return null;
  }
}
