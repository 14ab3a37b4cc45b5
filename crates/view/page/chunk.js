import { ByteReader, DamagedFilm } from "./bytes.js";
import { SAID } from "./head.js";

/** The parts of the differences between frames; the values of each column follow. */
const PART = { flags: 0, actors: 1, labels: 2, texts: 3, counts: 4, codes: 5, nodes: 6, ends: 7, ids: 8, kinds: 9, values: 10 };

/** The maximum number of bytes of a chunk after inflation. */
const BYTES_MAX = 2 ** 28;

/** Operations of a frame, as stored. */
export const SET = 0;
export const APPEARED = 1;
export const VANISHED = 2;
export const SENT = 3;
export const RECEIVED = 4;

/**
 * Inflates a chunk.
 *
 * @param {string} text base64 of a raw deflate stream
 * @param {string} where the part of the film, for error messages
 * @returns {Promise<Uint8Array>}
 * @throws {DamagedFilm} if it is not base64, or not such a stream
 */
export async function inflate(text, where) {
  let packed;
  try {
    const characters = atob(text.trim());
    // The last character may have bits that mean nothing.
    if (btoa(characters) !== text.trim()) throw new Error("other characters");
    packed = new Uint8Array(characters.length);
    for (let at = 0; at < characters.length; at += 1) packed[at] = characters.charCodeAt(at);
  } catch {
    throw new DamagedFilm(where, "it is not base64");
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const parts = [];
  let length = 0;
  try {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > BYTES_MAX) {
        reader.cancel().catch(() => {});
        break;
      }
      parts.push(value);
    }
  } catch {
    throw new DamagedFilm(where, "it cannot be inflated");
  }
  if (length > BYTES_MAX) throw new DamagedFilm(where, `it has more than ${BYTES_MAX} bytes`);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Growing arrays: the operations of a chunk, one row each. */
class Operations {
  constructor() {
    this.count = 0;
    this.reserve(1024);
  }

  /** @param {number} rows */
  reserve(rows) {
    const grown = (old, fresh) => (old && fresh.set(old), fresh);
    this.code = grown(this.code, new Uint8Array(rows));
    this.column = grown(this.column, new Uint8Array(rows));
    this.node = grown(this.node, new Int32Array(rows));
    this.value = grown(this.value, new Float64Array(rows));
  }

  push(code, column, node, value) {
    const at = this.count;
    if (at === this.code.length) this.reserve(2 * at);
    this.code[at] = code;
    this.column[at] = column;
    this.node[at] = node;
    this.value[at] = value;
    this.count = at + 1;
  }
}

/** A message under way. @typedef {{id: number, from: number, to: number, kind: number}} Message */

/**
 * A chunk: its key frame and the operations of its frames, checked. `firstOperation[i]` is the first operation of its frame i
 * (frame `first + i` of the film), one more entry is the end of the last. `before` is filled by the caller that applies an operation: the value
 * that it replaced.
 */
export class Chunk {
  /**
   * @param {object} head a head that was checked @param {number} number the index of the chunk @param {Uint8Array} bytes
   * @throws {DamagedFilm} if the chunk is inconsistent
   */
  constructor(head, number, bytes) {
    const reader = new ByteReader(bytes, `chunk ${number}`);
    this.first = head.chunks[number].first;
    this.frames = head.chunks[number].frames;
    this.readWords(reader);
    this.readKeyFrame(reader, head);
    const parts = Array.from({ length: PART.values + head.columns.length }, () => reader.part());
    reader.end();
    this.readFrames(parts, head, head.chunks[number].flags);
    for (const part of parts) part.end();
  }

  readWords(reader) {
    const count = reader.number();
    if (count === 0) reader.refuse("no words, expected the empty one");
    this.words = [];
    for (let at = 0; at < count; at += 1) this.words.push(reader.word());
    if (this.words[0] !== "") reader.refuse("the first word is not empty");
  }

  /** @param {object} column @param {ByteReader} reader @param {number} nodes @returns {number} a value of that column */
  readValue(column, reader, nodes) {
    switch (column.kind) {
      case "class":
        return reader.below(column.values.length, `column ${column.key}: class`);
      case "node":
        return reader.below(nodes + 1, `column ${column.key}: node`);
      case "word":
        return reader.below(this.words.length, `column ${column.key}: word`);
      default: {
        const value = reader.signed();
        if (Math.abs(value) > column.most) reader.refuse(`column ${column.key}: ${value}, expected from -${column.most} to ${column.most}`);
        return value;
      }
    }
  }

  readKeyFrame(reader, head) {
    const { nodes } = head;
    this.runs = head.columns.map((column) => {
      const runs = [];
      let filled = 0;
      while (filled < nodes) {
        const value = this.readValue(column, reader, nodes);
        const length = reader.number();
        if (length === 0 || length > nodes - filled) reader.refuse(`column ${column.key}: an impossible run of ${length} nodes`);
        runs.push(value, length);
        filled += length;
      }
      return Float64Array.from(runs);
    });
    const edges = reader.number();
    if (edges > bytesLeft(reader)) reader.refuse(`${edges} edges are announced, but fewer bytes are left`);
    this.edges = new Float64Array(2 * edges);
    let start = 0;
    let before = -1;
    for (let at = 0; at < edges; at += 1) {
      const difference = reader.number();
      if (difference > 0) before = -1;
      start += difference;
      const end = start + reader.number();
      if (end <= start || end >= nodes || end <= before) reader.refuse(`edge ${start} - ${end}, expected increasing edges below ${nodes}`);
      before = end;
      this.edges[2 * at] = start;
      this.edges[2 * at + 1] = end;
    }
    const messages = reader.number();
    if (messages > bytesLeft(reader)) reader.refuse(`${messages} messages are announced, but fewer bytes are left`);
    this.messages = [];
    for (let at = 0; at < messages; at += 1) this.messages.push(this.readMessage(reader, head));
  }

  /** @returns {Message} */
  readMessage(reader, head) {
    const id = reader.number();
    const from = reader.below(head.nodes, "a message from node");
    const to = reader.below(head.nodes, "a message to node");
    return { id, from, to, kind: reader.below(head.messages.length, "a message of kind") };
  }

  /** @param {ByteReader[]} parts @param {object} head @param {number} allFlags the flags of all frames together */
  readFrames(parts, head, allFlags) {
    const { frames } = this;
    if (frames > bytesLeft(parts[PART.flags])) parts[PART.flags].refuse(`${frames} frames are announced, but fewer bytes are left`);
    this.flags = new Uint8Array(frames);
    this.actor = new Int32Array(frames);
    this.label = new Int32Array(frames);
    this.said = new Int32Array(frames);
    this.firstOperation = new Uint32Array(frames + 1);
    /** Messages of this chunk; the value of an operation is an index into them. @type {Message[]} */
    this.sent = [];
    /** The last message sent. */
    this.lastId = 0;
    const operations = new Operations();
    let union = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      // Nodes are differences within a frame.
      this.lastNode = 0;
      const flags = parts[PART.flags].below(16, "flags");
      union |= flags;
      this.flags[frame] = flags;
      this.actor[frame] = parts[PART.actors].below(head.nodes + 1, "who acted") - 1;
      this.label[frame] = parts[PART.labels].below(head.actions.length + 1, "what was done") - 1;
      if (flags & SAID) this.said[frame] = parts[PART.texts].below(this.words.length, "text");
      this.firstOperation[frame] = operations.count;
      const count = parts[PART.counts].number();
      if (count > bytesLeft(parts[PART.codes])) parts[PART.counts].refuse(`${count} operations are announced, but fewer bytes are left`);
      for (let at = 0; at < count; at += 1) this.readOperation(parts, head, operations);
    }
    this.firstOperation[frames] = operations.count;
    if ((union & 7) !== (allFlags & 7)) parts[PART.flags].refuse(`flags ${union & 7}, but the head says ${allFlags & 7}`);
    this.code = operations.code;
    this.column = operations.column;
    this.node = operations.node;
    this.value = operations.value;
    this.before = new Float64Array(operations.count);
    /** Received messages; `before` of such an operation is an index into them. @type {Message[]} */
    this.taken = [];
  }

  readOperation(parts, head, operations) {
    const code = parts[PART.codes].below(4 + head.columns.length, "operation");
    if (code >= 4) {
      const column = code - 4;
      operations.push(SET, column, this.readNode(parts, head), this.readValue(head.columns[column], parts[PART.values + column], head.nodes));
    } else if (code < 2) {
      const a = this.readNode(parts, head);
      const b = parts[PART.ends].below(head.nodes, "an edge of node");
      if (a >= b) parts[PART.ends].refuse(`edge ${a} - ${b}, expected the lower node first`);
      operations.push(code === 0 ? APPEARED : VANISHED, 0, a, b);
    } else if (code === 2) {
      const id = this.readId(parts);
      this.lastId = id;
      const from = this.readNode(parts, head);
      const to = parts[PART.ends].below(head.nodes, "a message to node");
      const kind = parts[PART.kinds].below(head.messages.length, "a message of kind");
      operations.push(SENT, 0, 0, this.sent.push({ id, from, to, kind }) - 1);
    } else {
      operations.push(RECEIVED, 0, 0, this.readId(parts));
    }
  }

  /** @returns {number} a node, stored as the difference from the preceding one in its frame */
  readNode(parts, head) {
    const node = this.lastNode + parts[PART.nodes].signed();
    if (node < 0 || node >= head.nodes) parts[PART.nodes].refuse(`node ${node}, expected below ${head.nodes}`);
    this.lastNode = node;
    return node;
  }

  /** @returns {number} a message, stored as the difference from the last one sent */
  readId(parts) {
    const id = this.lastId + parts[PART.ids].signed();
    if (id < 0 || id > Number.MAX_SAFE_INTEGER) parts[PART.ids].refuse(`message ${id}, expected below 2^53`);
    return id;
  }
}

/** The number of remaining bytes of a reader; each edge, message and operation takes at least one. */
function bytesLeft(reader) {
  return reader.bytes.length - reader.at;
}
