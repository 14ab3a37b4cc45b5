// The reader of films against films that `writer.mjs` makes, whole and damaged; the parts of the page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble, faults, script } from "./assembly.mjs";
import { examples, writtenExamples } from "./examples.mjs";
import { amoebotsFilm, cellsFilm, lockedFilm, seeded, walkersFilm } from "./films.mjs";
import { ByteReader, DamagedFilm } from "../../page/bytes.js";
import { readHead } from "../../page/head.js";
import { Chunk } from "../../page/chunk.js";
import { Film } from "../../page/film.js";
import { Picture } from "../../page/picture.js";
import { drawSvg } from "../../page/draw/svg.js";
import { Archive, checksum } from "../../page/archive.js";
import { fieldsOf, plainValue } from "../../page/words.js";
import { stepOfLink } from "../../page/link.js";
import { Bytes, FilmWriter } from "./writer.mjs";

const opened = ({ head, chunks }) => new Film(JSON.stringify(head), (chunk) => chunks[chunk]);

/** The whole state of a film's frame, as the film means it. */
function stateOf(film) {
  const { configuration, head } = film;
  return {
    values: head.columns.map((_, place) => Array.from({ length: head.nodes }, (_, node) => configuration.meaning(place, node))),
    edges: [...configuration.edges].map((edge) => `${Math.floor(edge / head.nodes)} ${edge % head.nodes}`).sort(),
    messages: [...configuration.messages.values()].sort((left, right) => left.id - right.id),
  };
}

function stateOfWriter({ values, edges, messages }) {
  return {
    values: values.map((column) => [...column]),
    edges: [...edges].sort(),
    messages: [...messages.values()].sort((left, right) => left.id - right.id),
  };
}

/** Makes a film again, and keeps the writer's own state after each frame. */
function withStates(make) {
  const states = [];
  const { prototype } = lockedFilm({ rows: 3, columns: 3, steps: 1 }).writer.constructor;
  const { frame } = prototype;
  prototype.frame = function framed(...words) {
    frame.apply(this, words);
    states.push(stateOfWriter(this));
  };
  try {
    return { ...make(), states };
  } finally {
    prototype.frame = frame;
  }
}

test("modules can be put one after another", () => {
  assert.deepEqual(faults(), []);
  assert.doesNotMatch(script(), /^(import|export) /m);
});

test("the examples of the playground are scenarios of the repository as they are now", () => {
  assert.deepEqual(writtenExamples(), examples());
  assert.equal(examples().length, 7);
  assert.ok(examples().every(({ name, summary, text }) => name && summary && text.includes("title")));
});

test("numbers are LEB128, signed ones zigzag", () => {
  const numbers = [0, 1, 127, 128, 16383, 16384, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1];
  const bytes = new Bytes();
  bytes.numbers(...numbers);
  const reader = new ByteReader(bytes.taken(), "test");
  assert.deepEqual(numbers.map(() => reader.number()), numbers);
  reader.end();
  const signed = new ByteReader(Uint8Array.of(0, 1, 2, 3, 4), "test");
  assert.deepEqual([1, 2, 3, 4, 5].map(() => signed.signed()), [0, -1, 1, -2, 2]);
  for (const bad of [[], [128], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1], [255, 255, 255, 255, 255, 255, 255, 127]]) {
    assert.throws(() => new ByteReader(Uint8Array.from(bad), "test").number(), DamagedFilm);
  }
});

for (const [name, make] of Object.entries({
  locked: () => lockedFilm({ rows: 4, columns: 5, steps: 300, framesPerChunk: 37 }),
  thinned: () => lockedFilm({ rows: 4, columns: 5, steps: 300, every: 7, framesPerChunk: 10 }),
  amoebots: () => amoebotsFilm({ steps: 150, framesPerChunk: 20 }),
  walkers: () => walkersFilm({ frames: 60 }),
  cells: () => cellsFilm({ side: 6, steps: 100, framesPerChunk: 30 }),
})) {
  test(`every frame of a film is what was written, forwards, backwards and at random: ${name}`, async () => {
    const { film: written, states } = withStates(make);
    const film = opened(written);
    const last = written.head.frames - 1;
    assert.equal(states.length, last + 1);
    const random = seeded(7);
    const forwards = states.map((_, frame) => frame);
    const jumps = Array.from({ length: 60 }, () => Math.floor(random() * states.length));
    for (const frame of [...forwards, ...forwards.reverse(), ...jumps]) {
      await film.seek(frame);
      assert.deepEqual(stateOf(film), states[frame], `frame ${frame}`);
      assert.equal(film.frame, frame);
    }
    assert.equal(film.stepOf(last), written.head.steps);
    assert.ok(film.kept.size <= 4, "a few chunks are kept, not all");
  });
}

test("a frame is found by its step", async () => {
  const film = opened(lockedFilm({ rows: 3, columns: 3, steps: 100, every: 7 }).film);
  assert.equal(film.head.frames, 16);
  assert.deepEqual([0, 6, 7, 98, 99, 100, 1000].map((step) => film.frameOf(step)), [0, 0, 1, 14, 14, 15, 15]);
  assert.deepEqual([0, 1, 14, 15].map((frame) => film.stepOf(frame)), [0, 7, 98, 100]);
  assert.equal(stepOfLink("#t=1234"), 1234);
  assert.equal(stepOfLink("#a=1&t=7"), 7);
  for (const hash of ["", "#t=", "#t=-1", "#t=1e9", "#xt=4"]) assert.equal(stepOfLink(hash), null);
});

test("jumps find the nearest frame with a flag, in both directions", async () => {
  const { film: written } = lockedFilm({ rows: 5, columns: 5, steps: 400, framesPerChunk: 32 });
  const film = opened(written);
  const flags = [];
  for (const [number, chunk] of written.chunks.entries()) {
    flags.push(...new Chunk(film.head, number, inflateRawSync(Buffer.from(chunk, "base64"))).flags);
  }
  assert.ok(flags.some((flag) => flag & 1) && flags.some((flag) => flag & 4) && flags.at(-1) & 2);
  for (const flag of [1, 2, 4]) {
    for (const from of [0, 31, 32, 33, 150, 399, 400]) {
      const after = flags.findIndex((value, frame) => frame > from && value & flag);
      assert.equal(await film.nearest(from, flag, 1), after < 0 ? null : after);
      const before = flags.findLastIndex((value, frame) => frame < from && value & flag);
      assert.equal(await film.nearest(from, flag, -1), before < 0 ? null : before);
    }
  }
});

test("the last actions of a node, across chunks", async () => {
  const film = opened(lockedFilm({ rows: 3, columns: 3, steps: 200, framesPerChunk: 64 }).film);
  await film.seek(200);
  const { actions } = await film.actionsOf(4, 20, () => true);
  assert.ok(actions.length > 10 && actions.length <= 20);
  assert.ok(actions.every(({ actor, frame }, at) => actor === 4 && (at === 0 || frame < actions[at - 1].frame)));
  assert.ok(actions.some(({ label }) => label === "Grant"));
  // During playing, only stored chunks are searched.
  const kept = await film.actionsOf(4, 20, () => false);
  assert.deepEqual([film.kept.size, kept.since], [1, 192]);
  assert.ok(kept.actions.length < actions.length);
});

/** Goes through a film whose checksums fit; what it says about damage, or null. */
async function damageOf(head, raw) {
  try {
    const fitting = (chunk, at) => (typeof chunk === "object" && chunk !== null && raw[at] ? { ...chunk, check: checksum(raw[at]) } : chunk);
    const text = typeof head === "string" ? head : JSON.stringify({ ...head, chunks: Array.isArray(head.chunks) ? head.chunks.map(fitting) : head.chunks });
    const film = new Film(text, (chunk) => deflateRawSync(raw[chunk]).toString("base64"));
    const states = [];
    for (let frame = 0; frame < film.head.frames; frame += 1) {
      await film.seek(frame);
      states.push(stateOf(film));
    }
    return { damage: null, states: JSON.stringify(states) };
  } catch (error) {
    assert.ok(error instanceof DamagedFilm, `${error.stack}`);
    assert.match(error.message, /^this film is damaged: [^\n]+$/);
    return { damage: error.message };
  }
}

test("every truncation of a chunk and every byte too many is refused in one line", async () => {
  const { film } = lockedFilm({ rows: 3, columns: 3, steps: 12, framesPerChunk: 100 });
  assert.equal((await damageOf(film.head, film.raw)).damage, null);
  for (let length = 0; length < film.raw[0].length; length += 1) {
    assert.ok((await damageOf(film.head, [film.raw[0].subarray(0, length)])).damage, `${length} bytes`);
  }
  assert.match((await damageOf(film.head, [Buffer.concat([film.raw[0], Buffer.of(0)])])).damage, /chunk 0: 1 bytes left over/);
});

test("a changed byte is refused, or gives a film that adds up; nothing hangs and nothing else is thrown", async () => {
  const { film } = lockedFilm({ rows: 3, columns: 3, steps: 12, framesPerChunk: 100 });
  const random = seeded(3);
  let refused = 0;
  for (let round = 0; round < 400; round += 1) {
    const raw = Buffer.from(film.raw[0]);
    raw[Math.floor(random() * raw.length)] ^= 1 << Math.floor(random() * 8);
    if ((await damageOf(film.head, [raw])).damage !== null) refused += 1;
  }
  assert.ok(refused > 150, `${refused} of 400`);
});

test("what is damaged outside the bytes of a chunk is said, too", async () => {
  const { film } = lockedFilm({ rows: 3, columns: 3, steps: 12, framesPerChunk: 5 });
  const damage = async (change) => {
    const head = structuredClone(film.head);
    change(head);
    return (await damageOf(head, film.raw)).damage;
  };
  assert.equal(await damage(() => {}), null);
  assert.match((await damageOf("{", [])).damage, /head: it is not JSON/);
  assert.match(await damage((head) => (head.film = 1)), /film 1, expected 2/);
  assert.match(await damage((head) => (head.frames += 1)), /14 frames, expected 13/);
  assert.match(await damage((head) => head.chunks.pop()), /the chunks have 10 frames, expected 13/);
  assert.match(await damage((head) => (head.chunks[1].first = 4)), /chunk 1 begins with frame 4, expected 5/);
  assert.match(await damage((head) => (head.chunks[0].flags ^= 4)), /chunk 0: flags/);
  assert.match(await damage((head) => head.columns.push(head.columns[0])), /two columns of one key/);
  assert.match(await damage((head) => (head.columns[0].values = ["A"])), /column state: class/);
  assert.match(await damage((head) => (head.messages = [])), /a message of kind/);
  assert.match(await damage((head) => (head.picture.positions = [1])), /positions, expected two numbers for each node/);
  const lost = new Film(JSON.stringify(film.head), () => undefined);
  await assert.rejects(lost.seek(0), /chunk 0: it is missing/);
  for (const [text, what] of [["§", /it is not base64/], ["AAAA", /cannot be inflated/], [film.chunks[0].slice(0, 40), /cannot be inflated/]]) {
    await assert.rejects(new Film(JSON.stringify(film.head), () => text).seek(0), what);
  }
});

test("an edge that vanishes twice and a message that was never sent are refused where they happen", async () => {
  const changed = async (work) => {
    const { writer } = lockedFilm({ rows: 3, columns: 3, steps: 12 });
    writer.open();
    Object.assign(writer, { frames: 0, first: 0, chunks: [], packed: [], raw: [] });
    writer.head.steps = 1;
    writer.frame();
    work(writer);
    writer.frame();
    const { head, raw } = writer.finish();
    return (await damageOf(head, raw)).damage;
  };
  assert.equal(await changed((writer) => writer.vanish(0, 1)), null);
  assert.match(await changed((writer) => (writer.vanish(0, 1), writer.vanish(0, 1))), /frame 1: edge 0 - 1 vanishes, but is not there/);
  assert.match(await changed((writer) => writer.appear(0, 1)), /frame 1: edge 0 - 1 appears, but is there/);
  assert.match(await changed((writer) => writer.receive(999)), /frame 1: message 999 is received, but not under way/);
});

test("an SVG has every node, and a title that is markup is text in it", async () => {
  const title = "</title><script>alert(1)</script> & \"quotes\"";
  const film = opened(lockedFilm({ title }).film);
  await film.seek(200);
  const picture = new Picture(film);
  const svg = drawSvg(picture.scene(800, 600, { title }), title);
  assert.doesNotMatch(svg, /<script/);
  assert.match(svg, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;quotes&quot;/);
  const classes = picture.scene(800, 600).batches.filter((batch) => batch.kind === "marks" && batch.fill && batch.points.length > 2);
  const drawn = classes.reduce((sum, batch) => sum + batch.points.length / 2, 0);
  assert.ok(drawn >= 46 && drawn <= 48, `${drawn} nodes in batches of more than one`);
});

// Regression: the panel showed values as programs write them for themselves.
test("values of programs become words, and the memory of an amoebot its fields", () => {
  for (const [text, plain] of [["Some(@1)", "@1"], ["None", "none"], ["{}", "none"], ["{0,2}", "{0,2}"], ["[(Identifier(0), @1)]", "[(0, @1)]"], ["Some(Identifier(3))", "3"], ["Nonesuch true", "Nonesuch yes"]]) {
    assert.equal(plainValue(text), plain, text);
  }
  assert.deepEqual(fieldsOf("Memory { state: Follower, parent: Some(@1), pair: (1, 2), complaint: false }"), [["state", "Follower"], ["parent", "@1"], ["pair", "(1, 2)"], ["complaint", "no"]]);
  assert.equal(fieldsOf("Memory([Token { a: 1 }])"), null);
  assert.equal(fieldsOf("bot"), null);
});

// Regression: all pictures of a large run together took gigabytes, and nothing could end it.
test("the pictures of a run are fewer if they are large, and their export can be ended", async () => {
  // Node has no paths of a canvas, which the export of a PNG needs.
  globalThis.Path2D ??= class {};
  const { figureSvg, figuresOfRun } = await import("../../page/export.js");
  const film = opened(lockedFilm({ rows: 3, columns: 3, steps: 200 }).film);
  const picture = new Picture(film);
  await film.seek(0);
  const size = figureSvg(picture, 400, 300).length;
  const all = await figuresOfRun(picture, 400, 300, () => {}, new AbortController().signal, 11 * size);
  assert.deepEqual([all.pictures, all.every], [11, 20]);
  assert.ok(all.archive.size < 6 * size, `${all.archive.size} bytes of 11 x ${size}`);
  const ending = new AbortController();
  const ended = await figuresOfRun(picture, 400, 300, (done) => done === 3 && ending.abort(), ending.signal);
  assert.equal(ended, null);
  assert.equal(film.frame, 2);
});

test("a page without a film and a simulator stays small", () => {
  const bytes = Buffer.byteLength(assemble({}));
  assert.ok(bytes < 233_200, `${bytes} bytes`);
});

test("a ZIP, which unzip and its own directory read", async () => {
  assert.equal(checksum(new TextEncoder().encode("123456789")), 0xcbf43926);
  const archive = new Archive();
  await archive.add("a.svg", "<svg/>");
  await archive.add("ä/b.svg", "second");
  return archive.finish().arrayBuffer().then((buffer) => {
    const bytes = Buffer.from(buffer);
    const end = bytes.length - 22;
    assert.equal(bytes.readUInt32LE(end), 0x06054b50);
    assert.equal(bytes.readUInt16LE(end + 10), 2);
    let at = bytes.readUInt32LE(end + 16);
    const found = [];
    for (let file = 0; file < 2; file += 1) {
      assert.equal(bytes.readUInt32LE(at), 0x02014b50);
      const [size, length, start] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
      assert.equal(bytes.readUInt32LE(start), 0x04034b50);
      const from = start + 30 + bytes.readUInt16LE(start + 26);
      found.push([bytes.toString("utf8", at + 46, at + 46 + length), inflateRawSync(bytes.subarray(from, from + size)).toString("utf8")]);
      assert.equal(bytes.readUInt32LE(at + 24), Buffer.byteLength(found.at(-1)[1]));
      assert.equal(bytes.readUInt32LE(at + 16), checksum(inflateRawSync(bytes.subarray(from, from + size))));
      at += 46 + length;
    }
    assert.deepEqual(found, [["a.svg", "<svg/>"], ["ä/b.svg", "second"]]);
    const folder = mkdtempSync(join(tmpdir(), "film-page-"));
    try {
      writeFileSync(join(folder, "run.zip"), bytes);
      const read = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))";
      let answer = null;
      try {
        answer = execFileSync("python3", ["-c", read, join(folder, "run.zip")], { encoding: "utf8" });
      } catch (error) {
        if (error.code !== "ENOENT") throw error;
      }
      if (answer !== null) assert.equal(answer.trim(), "2");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("heads are refused in one line whatever is taken from them", () => {
  const { film } = amoebotsFilm({ steps: 5 });
  for (const key of Object.keys(film.head)) {
    for (const value of [7, "x", null, [7], { a: 1 }, true]) {
      let said = null;
      try {
        readHead(JSON.stringify({ ...film.head, [key]: value }));
      } catch (error) {
        assert.ok(error instanceof DamagedFilm, `${key}: ${JSON.stringify(value)}: ${error.stack}`);
        said = error.message;
      }
      if (said !== null) assert.match(said, /^this film is damaged: head: [^\n]+$/);
    }
  }
});

test("a hull goes round its discs, and who is beyond it is not inside", async () => {
  const { hullOfDiscs, isInside } = await import("../../page/hull.js");
  const hull = hullOfDiscs([0, 0, 40, 0, 20, 30], 10);
  for (const [x, y] of [[0, 0], [40, 0], [20, 30], [20, 10], [0, -9], [47, -6]]) assert.ok(isInside(hull, x, y), `${x} ${y}`);
  for (const [x, y] of [[0, -11], [51, 0], [-2, 20], [20, 42], [42, 20]]) assert.ok(!isInside(hull, x, y), `${x} ${y}`);
  // All corners turn in one direction, and the hull of one disc is the disc.
  const one = hullOfDiscs([5, 5], 2);
  assert.equal(one.length, 32);
  for (let at = 0; at < one.length; at += 2) assert.ok(Math.abs(Math.hypot(one[at] - 5, one[at + 1] - 5) - 2) < 1e-9);
});

/** A film of one frame with amoebots, or particles, on these cells. */
function standing(kind, cells) {
  const { film } = kind === "cells" ? cellsFilm({ side: 1, steps: 1 }) : amoebotsFilm({ amoebots: 1, steps: 1, columns: 1 });
  const { frames, chunks, ...like } = film.head;
  const picture = { ...like.picture, objects: [], land: [], gap: [] };
  const values = like.columns.map(({ key, kind: of, values: names }) =>
    cells.map(([x, y]) => (/_x$/.test(key) ? x : /_y$/.test(key) ? y : of === "class" ? names[0] : of === "word" ? "m" : 0)),
  );
  const writer = new FilmWriter({ ...like, nodes: cells.length, steps: 0, picture }, values);
  writer.frame();
  return opened(writer.finish());
}

test("amoebots that are far apart are drawn so that they are seen, and how far apart they are is said", async () => {
  const most = 2 ** 30 - 1;
  for (const [cells, said] of [
    [[[0, 0], [1e6, 0]], /^1\u2009000\u2009000 cells from one side to the other: each amoebot is drawn larger than its cell$/],
    [[[most, most], [-most, -most], [most, -most]], /^3\u2009221\u2009225\u2009469 cells/],
    [[[most - 2, 5], [most - 1, 5]], null],
  ]) {
    const film = standing("amoebots", cells);
    await film.seek(0);
    const { batches } = new Picture(film).scene(800, 600);
    const bodies = batches.filter(({ kind, shape }) => kind === "dots" || shape === "disc");
    const sizes = bodies.map(({ size, radius }) => size ?? 2 * radius);
    assert.ok(Math.min(...sizes) >= 5, `${sizes}`);
    const places = bodies.filter(({ points }) => points.length >= 2 * cells.length)[0].points;
    for (let at = 0; at < places.length; at += 2) {
      assert.ok(places[at] >= 0 && places[at] <= 800 && places[at + 1] >= 0 && places[at + 1] <= 600, `${places}`);
    }
    const texts = batches.filter(({ kind }) => kind === "texts").flatMap(({ items }) => items.map(({ text }) => text));
    const far = texts.filter((text) => / larger than its cell$/.test(text));
    assert.equal(far.length, said === null ? 0 : 1);
    if (said !== null) assert.match(far[0], said);
  }
});

/** A film of one frame: two amoebots with two pins on each edge, the first with a set of two pins that beeps. */
function wired({ bonds = 0, conflict = "no" } = {}) {
  const { film } = amoebotsFilm({ amoebots: 1, steps: 1, columns: 1 });
  const { frames, chunks, ...like } = film.head;
  const word = (key) => ({ key, name: key, kind: "word", of: "memory" });
  const columns = [...like.columns, { key: "bonds", name: "bonds", kind: "number" }, { key: "conflict", name: "conflict", kind: "class", values: ["no", "offender"] }];
  columns.push(word("pins"), word("circuits"), word("beeps"));
  const places = like.columns.map(({ key, kind: of, values: names }) =>
    [0, 1].map((x) => (/_x$/.test(key) ? x : /_y$/.test(key) ? 0 : of === "class" ? names[0] : of === "word" ? "m" : 0)),
  );
  const further = [[bonds, 0], [conflict, "no"], ["00..........", "............"], ["sg----------", "-------s----"], ["0", ""]];
  const writer = new FilmWriter({ ...like, columns, nodes: 2, steps: 0, picture: { ...like.picture, objects: [], land: [], gap: [] } }, [...places, ...further]);
  writer.frame();
  return opened(writer.finish());
}

test("circuits, beeps, bonds and the amoebots of a conflict are drawn", async () => {
  const batches = async (what) => {
    const film = wired(what);
    await film.seek(0);
    const picture = new Picture(film);
    picture.options.hatching = false;
    picture.options.legend = false;
    return picture.scene(800, 600).batches.filter(({ keep }) => !keep);
  };
  const plain = await batches();
  const orange = plain.filter(({ stroke, fill }) => stroke === "#0072b2" || fill === "#0072b2");
  // Two lines inside the first amoebot, and the link from both sides; a dot for each pin; a beep.
  const lines = orange.filter(({ kind }) => kind === "lines");
  assert.deepEqual(lines.map(({ points }) => points.length / 4), [4]);
  const [link, other] = [lines[0].points.slice(4, 8), lines[0].points.slice(-4)];
  assert.ok(Math.hypot(link[2] - other[2], link[3] - other[3]) < 1e-9, "linked pins meet");
  const [line] = lines;
  assert.ok(line.width > 5, "a circuit with a beep is wide");
  assert.equal(plain.filter(({ stroke }) => stroke === "#b3261e").length, 0);
  const dots = plain.filter(({ kind, stroke }) => kind === "marks" && stroke === "#ffffff");
  assert.equal(dots.reduce((sum, { points }) => sum + points.length / 2, 0), 24 + 1);
  const moved = await batches({ bonds: 1, conflict: "offender" });
  const rings = moved.filter(({ stroke }) => stroke === "#b3261e");
  assert.equal(rings.length, 1);
  const bonds = moved.filter(({ kind, stroke }) => kind === "lines" && stroke === "#6a737d");
  assert.deepEqual(bonds.map(({ points }) => points.length), [4]);
});

test("edges are those of adjacent cells however far off they are", async () => {
  // Regression: keys of cells were rounded at this place, so that different cells had the same key.
  for (const offset of [0, 2 ** 26, 2 ** 30 - 20]) {
    const film = standing("cells", [[0, 0], [1, 0], [3, 0], [4, 0], [0, 2]].map(([x, y]) => [x + offset, y - offset]));
    await film.seek(0);
    const picture = new Picture(film);
    picture.options.hatching = false;
    const lines = picture.scene(800, 600).batches.filter(({ kind, keep }) => kind === "lines" && !keep);
    assert.deepEqual(lines.map(({ points }) => points.length / 4), [2], `offset ${offset}`);
  }
});
