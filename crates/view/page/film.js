import { DamagedFilm } from "./bytes.js";
import { checksum } from "./archive.js";
import { frameOfStep, readHead, stepOfFrame } from "./head.js";
import { Chunk, inflate } from "./chunk.js";
import { Configuration } from "./configuration.js";

/** The number of chunks that are kept after reading. */
const CHUNKS_KEPT = 4;
/** The number of chunks in which the last actions of a node are searched. */
const CHUNKS_SEARCHED = 60;

/** The action in a frame. @typedef {{frame: number, step: number, actor: number, label: string, text: string}} Action */

/**
 * A film: the head is read at once, chunks when they are needed. `configuration` is at frame `frame`.
 */
export class Film {
  /**
   * @param {string} headText the head @param {(chunk: number) => string} textOfChunk base64 of a chunk
   * @throws {DamagedFilm} if the head is inconsistent
   */
  constructor(headText, textOfChunk) {
    this.head = readHead(headText);
    this.textOfChunk = textOfChunk;
    /** Chunks by number; the most recently used one is the last. @type {Map<number, Promise<Chunk>>} */
    this.kept = new Map();
    this.configuration = new Configuration(this.head);
    this.turn = Promise.resolve();
  }

  /**
   * Replaces the head, after the film has grown or was thinned.
   *
   * @param {string} headText @returns {boolean} whether frames have changed, so that the displayed frame must be loaded again
   * @throws {DamagedFilm}
   */
  grow(headText) {
    const head = readHead(headText);
    const isThinner = head.every !== this.head.every;
    Object.assign(this.head, head);
    // The displayed frame is of a chunk that no longer exists: the next frame is built from its key frame.
    if (isThinner) this.kept.clear();
    return isThinner;
  }

  get frame() {
    return this.configuration.frame;
  }

  stepOf(frame) {
    return stepOfFrame(this.head, frame);
  }

  frameOf(step) {
    return frameOfStep(this.head, step);
  }

  /** The chunk of a frame. O(log chunks). */
  chunkOf(frame) {
    const { chunks } = this.head;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle].first <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** A chunk; it is read only once while it is kept. @param {number} number @returns {Promise<Chunk>} */
  chunk(number) {
    let chunk = this.kept.get(number);
    this.kept.delete(number);
    chunk ??= this.read(number);
    this.kept.set(number, chunk);
    if (this.kept.size > CHUNKS_KEPT) this.kept.delete(this.kept.keys().next().value);
    return chunk;
  }

  async read(number) {
    const where = `chunk ${number}`;
    const { check } = this.head.chunks[number];
    const text = this.textOfChunk(number);
    if (typeof text !== "string") throw new DamagedFilm(where, "it is missing");
    const bytes = await inflate(text, where);
    if (checksum(bytes) !== check) throw new DamagedFilm(where, "its checksum differs");
    return new Chunk(this.head, number, bytes);
  }

  /**
   * Goes to a frame; calls are executed one at a time, in their order.
   *
   * @param {number} frame @returns {Promise<void>} O(operations between here and there), or between there and the key frame
   * @throws {DamagedFilm} if a chunk that it reads is damaged
   */
  seek(frame) {
    const turn = this.turn.then(() => this.go(frame));
    this.turn = turn.catch(() => {});
    return turn;
  }

  async go(frame) {
    const number = this.chunkOf(frame);
    const chunk = await this.chunk(number);
    const { configuration } = this;
    const there = frame - chunk.first;
    // From the key frame, if it is nearer than the displayed frame.
    if (configuration.chunk !== chunk || (there < configuration.at && there < configuration.at - there)) configuration.enter(chunk);
    while (configuration.at < there) configuration.advance();
    while (configuration.at > there) configuration.retreat();
    if (frame === this.head.frames - 1) this.checkEnd();
  }

  /** Compares the last configuration with its checksum in the head, once. A film that still grows has none. @throws {DamagedFilm} */
  checkEnd() {
    const { end } = this.head;
    if (end === null || this.checkedEnd === end) return;
    if (checksum(this.configuration.keyFrame()) !== end) throw new DamagedFilm("end", "the last configuration is not the recorded one");
    this.checkedEnd = end;
  }

  /** Reads the next chunk, so that playing does not wait for it. */
  prepare() {
    const next = this.chunkOf(this.frame) + 1;
    if (next < this.head.chunks.length) this.chunk(next).catch(() => {});
  }

  /**
   * The nearest frame after (or before) a frame that has a flag; null if there is none.
   *
   * @param {number} from @param {number} flag @param {1 | -1} way
   * @returns {Promise<number | null>} reads only chunks whose flags contain it
   */
  async nearest(from, flag, way) {
    const { chunks } = this.head;
    for (let number = this.chunkOf(from); number >= 0 && number < chunks.length; number += way) {
      if ((chunks[number].flags & flag) === 0) continue;
      const chunk = await this.chunk(number);
      const last = chunk.frames - 1;
      let at = way > 0 ? Math.max(0, from + 1 - chunk.first) : Math.min(last, from - 1 - chunk.first);
      for (; at >= 0 && at <= last; at += way) if (chunk.flags[at] & flag) return chunk.first + at;
    }
    return null;
  }

  /** The action in a frame of a chunk. @returns {Action} */
  actionIn(chunk, at) {
    const frame = chunk.first + at;
    return {
      frame,
      step: this.stepOf(frame),
      actor: chunk.actor[at],
      label: chunk.label[at] < 0 ? "" : this.head.actions[chunk.label[at]],
      text: chunk.words[chunk.said[at]],
    };
  }

  /** The action in the displayed frame. @returns {Action & {flags: number}} */
  get action() {
    const { chunk, at } = this.configuration;
    return { ...this.actionIn(chunk, at), flags: chunk.flags[at] };
  }

  /**
   * The last actions of a node up to the displayed frame, the last one first.
   *
   * @param {number} node @param {number} most @param {() => boolean} goesOn whether chunks that are not kept are read; called before each
   * @returns {Promise<{actions: Action[], since: number}>} `since`: the first frame searched
   */
  async actionsOf(node, most, goesOn) {
    const actions = [];
    const { frame } = this;
    const number = this.chunkOf(frame);
    let since = frame;
    for (let back = number; back >= 0 && back > number - CHUNKS_SEARCHED && actions.length < most; back -= 1) {
      const kept = this.kept.get(back);
      if (kept === undefined && !goesOn()) break;
      // Chunks that are read only for this do not displace those of playing.
      const chunk = await (kept ?? this.read(back));
      for (let at = Math.min(frame - chunk.first, chunk.frames - 1); at >= 0 && actions.length < most; at -= 1) {
        if (chunk.actor[at] === node) actions.push(this.actionIn(chunk, at));
      }
      since = chunk.first;
    }
    return { actions, since };
  }
}

/** The film in a page: its head, its chunks by number. @param {Document} page @returns {Film} @throws {DamagedFilm} */
export function filmOfPage(page) {
  const head = page.getElementById("film-head");
  if (head === null) throw new DamagedFilm("page", "there is no film in it");
  const text = head.textContent;
  if (head.dataset.check !== String(checksum(new TextEncoder().encode(text)))) throw new DamagedFilm("head", "its checksum differs");
  const chunks = new Map();
  for (const element of page.querySelectorAll("script.film-chunk")) chunks.set(Number(element.dataset.chunk), element);
  return new Film(text, (number) => chunks.get(number)?.textContent);
}
