import { ByteWriter, DamagedFilm } from "./bytes.js";
import { APPEARED, RECEIVED, SENT, SET, VANISHED } from "./chunk.js";

const ARRAYS = { class: Uint16Array, node: Int32Array, word: Int32Array, number: Float64Array };

/**
 * The configuration at one frame: a value for each column and node, edges, messages under way. It moves within one chunk,
 * forwards and backwards, by the operations of its frames; another chunk is entered at its key frame.
 */
export class Configuration {
  /** @param {object} head a head that was checked */
  constructor(head) {
    this.head = head;
    this.values = head.columns.map((column) => new ARRAYS[column.kind](head.nodes));
    /** Edges as `a * nodes + b`, a < b. @type {Set<number>} */
    this.edges = new Set();
    /** Messages under way by their id, in the order in which they were sent. @type {Map<number, import("./chunk.js").Message>} */
    this.messages = new Map();
    /** Increases with every change of the edges: values computed from them are valid while it is unchanged. */
    this.edgesVersion = 0;
    /** The present chunk. @type {import("./chunk.js").Chunk | null} */
    this.chunk = null;
    /** The index of the frame in the chunk. */
    this.at = 0;
    this.places = new Map(head.columns.map((column, place) => [column.key, place]));
  }

  /** The values of a column by key; null if the film has none. @param {string} key */
  column(key) {
    const place = this.places.get(key);
    return place === undefined ? null : this.values[place];
  }

  /** The displayed frame. */
  get frame() {
    return this.chunk.first + this.at;
  }

  /** A decoded value: a class by name, a word, a number, a node (null: none). */
  meaning(place, node) {
    const value = this.values[place][node];
    switch (this.head.columns[place].kind) {
      case "class":
        return this.head.columns[place].values[value];
      case "word":
        return this.chunk.words[value];
      case "node":
        return value === 0 ? null : value - 1;
      default:
        return value;
    }
  }

  /** Goes to the key frame of a chunk. @param {import("./chunk.js").Chunk} chunk */
  enter(chunk) {
    this.chunk = chunk;
    this.at = 0;
    chunk.runs.forEach((runs, place) => {
      const values = this.values[place];
      let node = 0;
      for (let at = 0; at < runs.length; at += 2) {
        values.fill(runs[at], node, node + runs[at + 1]);
        node += runs[at + 1];
      }
    });
    this.edges = new Set();
    for (let at = 0; at < chunk.edges.length; at += 2) this.edges.add(chunk.edges[at] * this.head.nodes + chunk.edges[at + 1]);
    this.edgesVersion += 1;
    this.messages = inOrder(chunk.messages);
    chunk.taken.length = 0;
  }

  /** The configuration as a key frame, with the words of the present chunk. O(nodes + edges + messages) @returns {Uint8Array} */
  keyFrame() {
    const { head, values, edges, messages } = this;
    const bytes = new ByteWriter();
    head.columns.forEach(({ kind }, place) => {
      const column = values[place];
      for (let node = 0; node < column.length; ) {
        const value = column[node];
        let end = node + 1;
        while (end < column.length && column[end] === value) end += 1;
        bytes.number(kind !== "number" ? value : value < 0 ? -2 * value - 1 : 2 * value);
        bytes.number(end - node);
        node = end;
      }
    });
    bytes.number(edges.size);
    let before = 0;
    for (const edge of Float64Array.from(edges).sort()) {
      const b = edge % head.nodes;
      const a = (edge - b) / head.nodes;
      bytes.number(a - before);
      bytes.number(b - a);
      before = a;
    }
    bytes.number(messages.size);
    for (const { id, from, to, kind } of inOrder([...messages.values()]).values()) for (const number of [id, from, to, kind]) bytes.number(number);
    return bytes.taken();
  }

  /** Goes one frame forwards within the chunk. @throws {DamagedFilm} an edge or message that does not exist, or exists twice */
  advance() {
    const { chunk } = this;
    this.at += 1;
    const end = chunk.firstOperation[this.at + 1];
    for (let at = chunk.firstOperation[this.at]; at < end; at += 1) {
      if (chunk.code[at] === SET) {
        const values = this.values[chunk.column[at]];
        const node = chunk.node[at];
        chunk.before[at] = values[node];
        values[node] = chunk.value[at];
      } else {
        this.change(at);
      }
    }
  }

  /** Goes one frame back within the chunk: undoes `advance`. */
  retreat() {
    const { chunk } = this;
    const start = chunk.firstOperation[this.at];
    for (let at = chunk.firstOperation[this.at + 1] - 1; at >= start; at -= 1) {
      if (chunk.code[at] === SET) this.values[chunk.column[at]][chunk.node[at]] = chunk.before[at];
      else this.undo(at);
    }
    this.at -= 1;
  }

  /** Applies an operation on edges or messages. */
  change(at) {
    const { chunk, edges, messages } = this;
    const refuse = (what) => {
      throw new DamagedFilm(`frame ${this.frame}`, what);
    };
    const value = chunk.value[at];
    const edge = chunk.node[at] * this.head.nodes + value;
    switch (chunk.code[at]) {
      case APPEARED:
        if (edges.has(edge)) refuse(`edge ${chunk.node[at]} - ${value} appears, but is there`);
        edges.add(edge);
        this.edgesVersion += 1;
        break;
      case VANISHED:
        if (!edges.delete(edge)) refuse(`edge ${chunk.node[at]} - ${value} vanishes, but is not there`);
        this.edgesVersion += 1;
        break;
      case SENT: {
        const message = chunk.sent[value];
        if (messages.has(message.id)) refuse(`message ${message.id} is sent twice`);
        messages.set(message.id, message);
        break;
      }
      case RECEIVED: {
        const message = messages.get(value);
        if (message === undefined) refuse(`message ${value} is received, but not under way`);
        chunk.before[at] = chunk.taken.push(message) - 1;
        messages.delete(value);
        break;
      }
    }
  }

  /** Undoes an operation on edges or messages. */
  undo(at) {
    const { chunk, edges, messages } = this;
    const value = chunk.value[at];
    const edge = chunk.node[at] * this.head.nodes + value;
    switch (chunk.code[at]) {
      case APPEARED:
        edges.delete(edge);
        this.edgesVersion += 1;
        break;
      case VANISHED:
        edges.add(edge);
        this.edgesVersion += 1;
        break;
      case SENT:
        messages.delete(chunk.sent[value].id);
        break;
      case RECEIVED: {
        const message = chunk.taken[chunk.before[at]];
        chunk.taken.length = chunk.before[at];
        this.messages = inOrder([...messages.values(), message]);
        break;
      }
    }
  }
}

/** Messages by their id, the first sent first. @param {import("./chunk.js").Message[]} messages */
function inOrder(messages) {
  return new Map(messages.sort((left, right) => left.id - right.id).map((message) => [message.id, message]));
}
