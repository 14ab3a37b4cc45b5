import { fieldsOf, grouped, nameOfNode, nodeWord, plainValue, valueInWords } from "./words.js";

/** The number of listed last actions of a node. */
const ACTIONS_SHOWN = 20;
/** The number of listed neighbours. */
const NEIGHBOURS_SHOWN = 24;
/** Columns that are positions in the picture, not part of a node's memory. */
const POSITIONS = new Set(["px", "py", "head_x", "head_y", "tail_x", "tail_y", "parent_at", "bonds"]);

/** Shows the memory of a node, its last actions and its enabled actions. */
export class Inspector {
  /** @param {import("./film.js").Film} film @param {HTMLElement} box @param {{choose: (node: number | null) => void, go: (frame: number) => void, isPlaying: () => boolean}} actions */
  constructor(film, box, actions) {
    this.film = film;
    this.box = box;
    this.actions = actions;
    this.node = null;
    /** Counts the requests: an answer to an earlier request is not shown. */
    this.asked = 0;
    const heading = made("h2", `One ${nodeWord(film.head)}`);
    const label = made("label", `${nodeWord(film.head)} `);
    this.input = made("input");
    this.input.type = "text";
    this.input.inputMode = "numeric";
    this.input.size = 7;
    this.input.id = "node";
    this.input.addEventListener("change", () => {
      const wanted = this.input.value.trim();
      // By the name in the graph file, which may also be a number.
      const named = this.film.head.labels?.indexOf(wanted) ?? -1;
      const node = named < 0 && /^\d+$/.test(wanted) ? Number(wanted) : named;
      actions.choose(node >= 0 && node < film.head.nodes ? node : null);
    });
    label.append(this.input);
    this.body = made("div");
    box.append(heading, label, this.body);
    box.hidden = film.head.nodes === 0;
  }

  /** Chooses a node, or none. @param {number | null} node */
  choose(node) {
    this.node = node;
    this.input.value = node === null ? "" : String(node);
    this.show();
  }

  /** Shows the node in the displayed frame. */
  show() {
    const { film, node } = this;
    this.asked += 1;
    if (this.box.hidden) return;
    if (node === null) {
      this.body.replaceChildren(made("p", `Click one, or give its number; [ and ] go to the ${nodeWord(film.head)} before and after.`, "hint"));
      return;
    }
    const { head, configuration } = film;
    const parts = [made("p", nameOfNode(head, node), "name")];
    const memory = [];
    const others = this.cells(node);
    let queue = null;
    let enabled = null;
    head.columns.forEach((column, place) => {
      if (POSITIONS.has(column.key)) return;
      const value = configuration.meaning(place, node);
      if (column.key === "enabled") enabled = value;
      else if (column.key === "queue") queue = [column.name, value];
      else if (column.of !== "memory") others.push([column.name, valueInWords(head, column, value)]);
      else if (column.kind === "word") memory.push(...(fieldsOf(value) ?? [[column.name, plainValue(value)]]));
      else memory.push([column.name, valueInWords(head, column, value)]);
    });
    if (configuration.edges.size > 0) others.push(["neighbours", this.neighbours(node)]);
    if (others.length > 0) parts.push(table("state", others));
    if (memory.length > 0) parts.push(table("memory", memory));
    if (queue !== null) parts.push(made("h3", queue[0]), list(queue[1] ? queue[1].split("\n") : ["empty"]));
    const waiting = [...configuration.messages.values()].filter((message) => message.to === node || message.from === node);
    if (head.messages.length > 0) {
      const lines = waiting.map(({ from, to, kind }) => `${head.messages[kind]} ${from === node ? `to ${to}` : `from ${from}`}`);
      parts.push(made("h3", "messages under way"), list(lines.length > 0 ? lines : ["none"]));
    }
    if (enabled !== null) parts.push(made("h3", "enabled actions"), this.guards(enabled));
    this.history ??= made("div");
    parts.push(made("h3", "its last actions"), this.history);
    this.body.replaceChildren(...parts);
    this.showHistory();
  }

  /** The neighbours of a node, in words. O(edges) */
  neighbours(node) {
    const { edges, head } = this.film.configuration;
    const found = [];
    for (const edge of edges) {
      const b = edge % head.nodes;
      const a = (edge - b) / head.nodes;
      if (a === node) found.push(b);
      else if (b === node) found.push(a);
    }
    found.sort((left, right) => left - right);
    const rest = found.length - NEIGHBOURS_SHOWN;
    return found.length === 0 ? "none" : found.slice(0, NEIGHBOURS_SHOWN).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  }

  /** The position of a node on the lattice: one cell, or head and tail. */
  cells(node) {
    const [headX, headY, tailX, tailY] = ["head_x", "head_y", "tail_x", "tail_y"].map((key) => this.film.configuration.column(key)?.[node]);
    if (headX === undefined) return [];
    const isExpanded = tailX !== undefined && (headX !== tailX || headY !== tailY);
    if (!isExpanded) return [["cell", `(${headX}, ${headY})`]];
    return [["head", `(${headX}, ${headY})`], ["tail", `(${tailX}, ${tailY})`]];
  }

  guards(enabled) {
    const labels = enabled === "" ? [] : enabled.split("\n");
    if (labels.length === 0) return made("p", "none", "hint");
    const box = made("dl");
    for (const label of labels) box.append(made("dt", label), made("dd", this.film.head.guards[label] ?? ""));
    return box;
  }

  async showHistory() {
    const { asked, film, node } = this;
    let found;
    try {
      found = await film.actionsOf(node, ACTIONS_SHOWN, () => asked === this.asked && !this.actions.isPlaying());
    } catch {
      return; // A reader who goes to that frame gets the damage.
    }
    if (asked !== this.asked) return;
    const items = made("ol", "", "history");
    for (const { frame, step, label, text } of found.actions) {
      const item = made("li");
      const link = made("button", `${film.head.time} ${grouped(step)}`, "link");
      link.addEventListener("click", () => this.actions.go(frame));
      item.append(link, ` ${text || label || "acts"}`);
      items.append(item);
    }
    const none = found.since === 0 ? "none so far" : `none since ${film.head.time} ${grouped(film.stepOf(found.since))}`;
    this.history.replaceChildren(found.actions.length > 0 ? items : made("p", none, "hint"));
  }
}

/** An element with text in it, never markup. @param {string} tag @param {string} [text] @param {string} [style] its class */
export function made(tag, text = "", style = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (style) element.className = style;
  return element;
}

/** Names and values. @param {string} title @param {[string, string][]} rows */
export function table(title, rows) {
  const box = made("table");
  box.append(made("caption", title));
  for (const [name, value] of rows) {
    const row = made("tr");
    const heading = made("th", name);
    heading.scope = "row";
    row.append(heading, made("td", String(value) || "none"));
    box.append(row);
  }
  return box;
}

function list(lines) {
  const box = made("ul");
  for (const line of lines) box.append(made("li", line));
  return box;
}
