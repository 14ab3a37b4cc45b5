// WebAssembly modules with the interface of the simulator and a fixed answer, to test the page without the simulator.
import { gzipSync } from "node:zlib";

const I32 = 0x7f;

function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value & 127) | (value > 127 ? 128 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

function signed(value) {
  const bytes = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    if ((value === 0 && !(byte & 64)) || (value === -1 && byte & 64)) return [...bytes, byte];
    bytes.push(byte | 128);
  }
}

const text = (word) => [...unsigned(word.length), ...Buffer.from(word)];
const section = (id, items) => {
  const body = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(body.length), ...body];
};

/** Bodies of functions. */
const constant = (value) => [0x41, ...signed(value)];
const forever = [0x03, 0x40, 0x0c, 0, 0x0b];
const trap = [0x00];

/** Shows what is told now, then tells of the next. */
const showNext = [0x10, 0, 0x23, 0, ...constant(1), 0x6a, 0x24, 0];

/**
 * A module that answers every request so: what was asked last lies at `REQUEST` of its memory.
 *
 * @param {object} answer @param {"answers" | "runs forever" | "stops by a fault"} way @param {object[]} parts what it shows while it runs
 * @returns {string} base64 of the module, compressed
 */
export function simulatorModule(answer, way = "answers", parts = []) {
  // All have the same length: JSON may end in spaces.
  const texts = [...parts, answer].map((told) => JSON.stringify(told));
  const length = Math.max(...texts.map((told) => Buffer.byteLength(told)));
  const told = Buffer.concat(texts.map((one) => Buffer.concat([Buffer.from(one), Buffer.alloc(length - Buffer.byteLength(one), " ")])));
  const pages = Math.ceil((REQUEST + 65536 + told.length) / 65536) + 1;
  const at = REQUEST + 65536;
  const last = { answers: [], "runs forever": forever, "stops by a fault": trap }[way];
  const run = [...parts.flatMap(() => showNext), ...last];
  const body = (code) => {
    const bytes = [0, ...code, 0x0b];
    return [...unsigned(bytes.length), ...bytes];
  };
  const types = [[0x60, 1, I32, 1, I32], [0x60, 1, I32, 0], [0x60, 0, 0], [0x60, 0, 1, I32]];
  const names = ["room", "give", "run", "told", "told_bytes"];
  const exported = [[...text("memory"), 2, 0], ...names.map((name, index) => [...text(name), 0, index + 1])];
  const where = [...constant(at), 0x23, 0, ...constant(length), 0x6c, 0x6a];
  const codes = [constant(REQUEST), [], run, where, constant(length)].map(body);
  const imported = [[...text("page"), ...text("show"), 0, 2]];
  const counter = [[I32, 1, ...constant(0), 0x0b]];
  const parted = [...section(1, types), ...section(2, imported), ...section(3, [[0], [1], [2], [3], [3]])];
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...parted, ...section(5, [[0, ...unsigned(pages)]]), ...section(6, counter)];
  const start = [...head, ...section(7, exported), ...section(10, codes)];
  const data = Buffer.from([0, ...constant(at), 0x0b, ...unsigned(told.length)]);
  const bytes = 1 + data.length + told.length;
  return gzipSync(Buffer.concat([Buffer.from([...start, 11, ...unsigned(bytes), 1]), data, told])).toString("base64");
}

const REQUEST = 1024;
