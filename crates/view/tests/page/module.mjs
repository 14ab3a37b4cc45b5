// WebAssembly modules as the simulator of the page is one, but with the answer in them: the page is tested without the simulator.
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

/**
 * A module that answers every request so: what was asked last lies at `REQUEST` of its memory.
 *
 * @param {object} answer @param {"answers" | "runs forever" | "stops by a fault"} way @returns {string} base64 of the module, compressed
 */
export function simulatorModule(answer, way = "answers") {
  const told = Buffer.from(JSON.stringify(answer));
  const pages = Math.ceil((REQUEST + 65536 + told.length) / 65536) + 1;
  const at = REQUEST + 65536;
  const run = { answers: [], "runs forever": forever, "stops by a fault": trap }[way];
  const body = (code) => {
    const bytes = [0, ...code, 0x0b];
    return [...unsigned(bytes.length), ...bytes];
  };
  const types = [[0x60, 1, I32, 1, I32], [0x60, 1, I32, 0], [0x60, 0, 0], [0x60, 0, 1, I32]];
  const names = ["room", "give", "run", "told", "told_bytes"];
  const exported = [[...text("memory"), 2, 0], ...names.map((name, index) => [...text(name), 0, index])];
  const codes = [constant(REQUEST), [], run, constant(at), constant(told.length)].map(body);
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(1, types), ...section(3, [[0], [1], [2], [3], [3]]), ...section(5, [[0, ...unsigned(pages)]])];
  const start = [...head, ...section(7, exported), ...section(10, codes)];
  const data = Buffer.from([0, ...constant(at), 0x0b, ...unsigned(told.length)]);
  const length = 1 + data.length + told.length;
  return gzipSync(Buffer.concat([Buffer.from([...start, 11, ...unsigned(length), 1]), data, told])).toString("base64");
}

const REQUEST = 1024;
