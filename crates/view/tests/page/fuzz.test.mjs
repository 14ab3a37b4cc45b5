// Damaged films: each is rejected with one line or shown, in bounded time, and no other error is thrown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { amoebotsFilm, cellsFilm, countsFilm, lockedFilm, seeded, walkersFilm } from "./films.mjs";
import { DamagedFilm } from "../../page/bytes.js";
import { Film } from "../../page/film.js";
import { Picture } from "../../page/picture.js";
import { drawSvg } from "../../page/draw/svg.js";
import { Bytes, crc32 } from "./writer.mjs";

const ROUNDS = 250;
/** The most that a film of a few frames may take, in milliseconds; on a busy machine as well. */
const TIME_MOST = 4000;
const NUMBERS = [0, -1, 1, 0.5, 7, 2 ** 22, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53 - 1, 2 ** 53, 1e300, -1e300, 1e-320, null, "7", [], {}];
const WORDS = ["", "\u0000", "<script>", "constructor", "__proto__", "x".repeat(5000), 7, null, [], {}];

const FILMS = {
  locked: () => lockedFilm({ rows: 3, columns: 3, steps: 12, framesPerChunk: 5 }).film,
  amoebots: () => amoebotsFilm({ amoebots: 6, steps: 12, framesPerChunk: 5, columns: 3 }).film,
  walkers: () => walkersFilm({ nodes: 5, frames: 6 }).film,
  cells: () => cellsFilm({ side: 3, steps: 8, framesPerChunk: 4 }).film,
  counts: () => countsFilm().film,
};

/** All places of a value in which something stands: the object or list, and the key there. */
function placesIn(value, found = []) {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    placesIn(value[key], found);
  }
  return found;
}

/** Changes a place of the head: another number or word, nothing, the same twice, something of another place. */
function changeHead(head, random) {
  const among = (list) => list[Math.floor(random() * list.length)];
  const places = placesIn(head);
  // The long lists of coordinates would be changed nearly always.
  const named = places.filter(([, key]) => !/^\d+$/.test(key));
  const [parent, key] = among(random() < 0.7 ? named : places);
  const way = random();
  if (way < 0.5) parent[key] = structuredClone(typeof parent[key] === "string" ? among(WORDS) : among(NUMBERS));
  else if (way < 0.65) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
  else if (way < 0.75 && Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(parent[key]));
  else {
    const [other, name] = among(named);
    parent[key] = structuredClone(other[name]);
  }
}

/** Changes a number of a chunk (another one in its place, none, or one more), or cuts the chunk. */
function changeChunk(raw, random) {
  const at = Math.floor(random() * raw.length);
  if (random() < 0.15) return raw.subarray(0, at);
  let end = at;
  while (end < raw.length && raw[end] >= 128) end += 1;
  const bytes = new Bytes();
  if (random() < 0.8) bytes.number([0, 1, 2, 127, 128, 2 ** 20, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 53 - 1][Math.floor(random() * 10)]);
  return Buffer.concat([raw.subarray(0, at), bytes.taken(), raw.subarray(random() < 0.8 ? end + 1 : at)]);
}

/** Goes through a film and draws each frame; whether it was refused. */
async function isRefused(head, packed) {
  try {
    const film = new Film(JSON.stringify(head), (chunk) => packed[chunk]);
    const picture = new Picture(film);
    const { frames } = film.head;
    for (const frame of [...Array(Math.min(frames, 30)).keys(), frames - 1, 0]) {
      await film.seek(frame);
      const svg = drawSvg(picture.scene(400, 300));
      assert.doesNotMatch(svg, /"[^"<>]*\b(NaN|Infinity)\b[^"<>]*"/, "a number that is none");
    }
    return false;
  } catch (error) {
    assert.ok(error instanceof DamagedFilm, `${error.stack}`);
    assert.match(error.message, /^this film is damaged: [^\n]+$/);
    assert.ok(error.message.length < 1000, `${error.message.length} characters`);
    return true;
  }
}

for (const [name, make] of Object.entries(FILMS)) {
  test(`a damaged film is refused in one line or shown, and never hangs: ${name}`, async () => {
    const whole = make();
    assert.equal(await isRefused(whole.head, whole.chunks), false);
    const random = seeded(11);
    let refused = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const head = structuredClone(whole.head);
      const packed = [...whole.chunks];
      const changes = 1 + Math.floor(random() * 3);
      for (let change = 0; change < changes; change += 1) {
        if (random() < 0.5) {
          changeHead(head, random);
        } else {
          const chunk = Math.floor(random() * packed.length);
          const changed = changeChunk(whole.raw[chunk], random);
          packed[chunk] = deflateRawSync(changed).toString("base64");
          // With a checksum that fits: otherwise nothing behind it would be read.
          if (typeof head.chunks?.[chunk] === "object" && head.chunks[chunk] !== null) head.chunks[chunk].check = crc32(changed);
        }
      }
      const began = performance.now();
      if (await isRefused(head, packed)) refused += 1;
      const took = performance.now() - began;
      assert.ok(took < TIME_MOST, `round ${round}: ${took} ms`);
    }
    assert.ok(refused > ROUNDS / 4 && refused < ROUNDS, `${refused} of ${ROUNDS}`);
  });
}

test("a chunk that inflates to more than a page can hold is refused", async () => {
  const { head } = lockedFilm({ rows: 3, columns: 3, steps: 12 }).film;
  const bomb = deflateRawSync(Buffer.alloc(2 ** 28 + 2 ** 16)).toString("base64");
  await assert.rejects(new Film(JSON.stringify(head), () => bomb).seek(0), /chunk 0: it has more than 268435456 bytes/);
});

test("frames, cells and columns that cannot be are refused with what is expected", async () => {
  const { film } = amoebotsFilm({ amoebots: 4, steps: 8, columns: 2 });
  const refused = async (change) => {
    const head = structuredClone(film.head);
    change(head);
    await assert.rejects(async () => new Film(JSON.stringify(head), (chunk) => film.chunks[chunk]).seek(0), DamagedFilm);
  };
  await refused((head) => (head.frames = head.chunks[0].frames = 2 ** 40));
  await refused((head) => (head.picture.objects = [[2 ** 53 - 1, 0]]));
  await refused((head) => (head.columns.find(({ key }) => key === "tail_y").key = "tail"));
  await refused((head) => (head.columns.find(({ key }) => key === "head_x").kind = "word"));
  await refused((head) => (head.nodes = 2 ** 22));
});
