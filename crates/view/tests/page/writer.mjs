// A writer of films, written only from FILM.md: an independent implementation of the format. It keeps the whole state as plain values.
import { deflateRawSync } from "node:zlib";

/** Bytes that grow. */
class Bytes {
  constructor() {
    this.bytes = Buffer.alloc(4096);
    this.length = 0;
  }

  reserve(more) {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.alloc(2 * (this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  number(value) {
    this.reserve(10);
    while (value >= 128) {
      this.bytes[this.length++] = (value % 128) + 128;
      value = Math.floor(value / 128);
    }
    this.bytes[this.length++] = value;
  }

  numbers(...values) {
    for (const value of values) this.number(value);
  }

  word(text) {
    const encoded = Buffer.from(text, "utf8");
    this.number(encoded.length);
    this.append(encoded);
  }

  append(other) {
    this.reserve(other.length);
    other.copy(this.bytes, this.length);
    this.length += other.length;
  }

  taken() {
    return this.bytes.subarray(0, this.length);
  }
}

const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

export class FilmWriter {
  /** `head` lacks `frames` and `chunks`. Values at the start: those of `values[column][node]`, as the film means them. */
  constructor(head, values, { edges = [], messages = [], framesPerChunk = 512 } = {}) {
    this.head = head;
    this.values = values.map((column) => [...column]);
    this.edges = new Set(edges.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
    this.messages = new Map(messages.map((message) => [message.id, message]));
    this.framesPerChunk = framesPerChunk;
    this.chunks = [];
    this.packed = [];
    this.raw = [];
    this.operations = [];
    this.frames = 0;
    this.open();
  }

  open() {
    this.words = new Map([["", 0]]);
    this.key = null;
    // The differences between frames, in parts: flags, actors, labels, texts, counts, codes, nodes, ends, ids, kinds, then columns.
    this.body = Array.from({ length: 10 + this.head.columns.length }, () => new Bytes());
    this.lastId = 0;
    this.first = this.frames;
    this.flags = 0;
  }

  wordIndex(text) {
    if (!this.words.has(text)) this.words.set(text, this.words.size);
    return this.words.get(text);
  }

  coded(place, value) {
    const column = this.head.columns[place];
    if (column.kind === "class") return column.values.indexOf(value);
    if (column.kind === "node") return value === null ? 0 : value + 1;
    if (column.kind === "word") return this.wordIndex(value);
    return zigzag(value);
  }

  set(key, node, value) {
    const place = this.head.columns.findIndex((column) => column.key === key);
    this.values[place][node] = value;
    this.operations.push(["set", place, node, value]);
  }

  appear(a, b) {
    const [low, high] = a < b ? [a, b] : [b, a];
    this.edges.add(`${low} ${high}`);
    this.operations.push(["appear", low, high]);
  }

  vanish(a, b) {
    const [low, high] = a < b ? [a, b] : [b, a];
    this.edges.delete(`${low} ${high}`);
    this.operations.push(["vanish", low, high]);
  }

  send(id, from, to, kind) {
    this.messages.set(id, { id, from, to, kind });
    this.operations.push(["send", id, from, to, kind]);
  }

  receive(id) {
    this.messages.delete(id);
    this.operations.push(["receive", id]);
  }

  /** The operations since the last frame are a frame. */
  frame({ flags = 0, actor = null, label = null, text = "" } = {}) {
    if (this.key === null) this.key = this.keyFrame();
    const { body } = this;
    const all = flags | (text ? 8 : 0);
    this.flags |= all;
    body[0].number(all);
    body[1].number(actor === null ? 0 : actor + 1);
    body[2].number(label === null ? 0 : this.head.actions.indexOf(label) + 1);
    if (text) body[3].number(this.wordIndex(text));
    body[4].number(this.operations.length);
    let last = 0;
    const node = (now) => {
      body[6].number(zigzag(now - last));
      last = now;
    };
    for (const [name, ...rest] of this.operations) {
      body[5].number(name === "set" ? 4 + rest[0] : { appear: 0, vanish: 1, send: 2, receive: 3 }[name]);
      if (name === "send" || name === "receive") body[8].number(zigzag(rest[0] - this.lastId));
      if (name === "set") {
        node(rest[1]);
        body[10 + rest[0]].number(this.coded(rest[0], rest[2]));
      } else if (name === "send") {
        [this.lastId] = rest;
        node(rest[1]);
        body[7].number(rest[2]);
        body[9].number(rest[3]);
      } else if (name !== "receive") {
        node(rest[0]);
        body[7].number(rest[1]);
      }
    }
    this.operations = [];
    this.frames += 1;
    if (this.frames - this.first === this.framesPerChunk) this.close();
  }

  keyFrame() {
    const bytes = new Bytes();
    this.head.columns.forEach((_, place) => {
      const coded = this.values[place].map((value) => this.coded(place, value));
      for (let at = 0; at < coded.length; ) {
        let end = at + 1;
        while (end < coded.length && coded[end] === coded[at]) end += 1;
        bytes.numbers(coded[at], end - at);
        at = end;
      }
    });
    const edges = [...this.edges].map((edge) => edge.split(" ").map(Number)).sort((left, right) => left[0] - right[0] || left[1] - right[1]);
    bytes.number(edges.length);
    let before = 0;
    for (const [a, b] of edges) {
      bytes.numbers(a - before, b - a);
      before = a;
    }
    bytes.number(this.messages.size);
    for (const { id, from, to, kind } of this.messages.values()) bytes.numbers(id, from, to, kind);
    return bytes.taken();
  }

  close() {
    if (this.frames === this.first) return;
    const bytes = new Bytes();
    bytes.number(this.words.size);
    for (const word of this.words.keys()) bytes.word(word);
    bytes.append(this.key);
    for (const part of this.body) {
      bytes.number(part.length);
      bytes.append(part.taken());
    }
    this.chunks.push({ first: this.first, frames: this.frames - this.first, flags: this.flags, check: crc32(bytes.taken()) });
    this.raw.push(Buffer.from(bytes.taken()));
    this.packed.push(deflateRawSync(bytes.taken(), { level: 6 }).toString("base64"));
    this.open();
  }

  /** The film: its head as JSON, its chunks as base64, and before deflation. */
  finish() {
    const end = crc32(this.keyFrame());
    this.close();
    return { head: { ...this.head, end, frames: this.frames, chunks: this.chunks }, chunks: this.packed, raw: this.raw };
  }
}

/** The CRC-32 of bytes or of a text, bit by bit as ZIP specifies it: node 20 has none. */
export function crc32(data) {
  let value = 0xffffffff;
  for (const byte of Buffer.from(data)) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

export { Bytes };
