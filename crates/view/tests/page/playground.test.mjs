// The playground: the page with a simulator in it. Modules with fixed answers test the page. The simulator itself, if it was built
// (page/acrasin.wasm.gz), must give the same digests as the command, in node and in the browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Browser, barriers, shows } from "./browser.mjs";
import { writtenExamples } from "./examples.mjs";
import { amoebotsFilm, lockedFilm } from "./films.mjs";
import { simulatorModule } from "./module.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SIMULATOR = process.env.PAGE_TEST_SIMULATOR ?? join(ROOT, "crates/view/page/acrasin.wasm.gz");
const EXAMPLES = [{ name: "one", summary: "the first", text: "first\nsecond\nthird\n" }, { name: "<b>two</b>", summary: "<i>", text: 'topology: Contacts(path: "data/a.tsv")' }];
const DONE = { exit: 0, diagnostic: null, line: null, column: null, record: "Outcome\n  ended as <b>agreed</b>", digest: "00ff", seed: "7" };

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

const playground = (simulator, film = {}) => browser.open({ title: "Playground", playground: { simulator, examples: EXAMPLES }, ...film });

test("a run shows record, digest and seed, and its film is played", async () => {
  const { film } = amoebotsFilm({ steps: 60 });
  const page = await playground(simulatorModule({ ...DONE, film: { head: film.head, chunks: film.chunks } }));
  assert.equal(await page.textContent("#title"), "Playground");
  assert.ok(!(await page.isVisible("#play")));
  await page.click("#run");
  await shows(page, 0);
  assert.equal(await page.textContent("#digest"), "seed 7, digest 00ff");
  assert.match(await page.textContent("#record"), /ended as <b>agreed<\/b>/);
  assert.equal(await page.textContent("#title"), film.head.title);
  await page.click("#to-end");
  await shows(page, 60);
  // A second run replaces the first: one key press is one step.
  await page.focus("#scenario");
  await page.keyboard.press("Control+Enter");
  await shows(page, 0);
  await page.focus("#picture");
  await page.keyboard.press("ArrowRight");
  await shows(page, 1);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => globalThis.acrasin.film.frame), 1);
  assert.equal(await page.locator("#show-legend").count(), 1);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

/** What there is of a film when so many chunks are complete, from chunk `first` on. */
function soFar(film, first, chunks) {
  const index = film.head.chunks.slice(0, chunks);
  const frames = index.reduce((sum, chunk) => sum + chunk.frames, 0);
  return { head: { ...film.head, end: null, chunks: index, frames, steps: (frames - 1) * film.head.every }, first, chunks: film.chunks.slice(first, chunks) };
}

test("a run is shown while it goes on: a reader at the end follows, a reader elsewhere stays, also when it is thinned", async () => {
  const { film } = lockedFilm({ steps: 600 });
  const thinner = lockedFilm({ steps: 600, every: 2 }).film;
  const parts = [soFar(film, 0, 1), soFar(film, 1, 3)];
  const page = await playground(simulatorModule(DONE, "runs forever", parts));
  await page.click("#run");
  await shows(page, parts[1].head.frames - 1);
  assert.ok(await page.isEnabled("#stop"), "it runs");
  assert.match(await page.textContent("#digest"), /^runs … step 383$/);
  assert.equal(await page.getAttribute("#scrubber", "max"), "383");
  await page.click("#to-start");
  await shows(page, 0);
  await page.click("#stop");
  await page.context().close();

  // The final film replaces the one shown during the run; a thinned film is loaded again.
  const done = { ...DONE, film: { head: thinner.head, first: 0, chunks: thinner.chunks } };
  const followed = await playground(simulatorModule(done, "answers", [...parts, soFar(thinner, 0, 2)]));
  await followed.click("#run");
  await shows(followed, thinner.head.frames - 1);
  assert.equal(await followed.evaluate(() => globalThis.acrasin.film.stepOf(globalThis.acrasin.film.frame)), 600);
  assert.equal(await followed.textContent("#digest"), "seed 7, digest 00ff");
  assert.deepEqual([...page.said, ...followed.said], []);
  await followed.context().close();
});

test("a run that is recorded before it is filmed says how far it is", async () => {
  const page = await playground(simulatorModule(DONE, "runs forever", [{ doing: "4096 steps" }, { doing: "123456 steps, <b>40 %</b>" }]));
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#digest").textContent.includes("40 %"));
  assert.equal(await page.textContent("#digest"), "runs … 123\u2009456 steps, <b>40 %</b>");
  assert.ok(await page.isEnabled("#stop"), "it runs");
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a diagnostic is shown as it is, its line is marked", async () => {
  const diagnostic = "error: unknown name `second`\n --> scenario.ron:2:1\n  |\n2 | second\n  | ^^^^^^\n  = accepted: <b>Path</b>, Ring";
  const page = await playground(simulatorModule({ ...DONE, exit: 2, diagnostic, line: 2, column: 1, record: null, digest: null, seed: null }));
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#diagnostic").textContent !== "");
  assert.equal(await page.textContent("#diagnostic"), diagnostic);
  assert.equal(await page.evaluate(() => { const box = document.querySelector("#scenario"); return box.value.slice(box.selectionStart, box.selectionEnd); }), "second");
  assert.equal(await page.evaluate(() => document.querySelectorAll("#playground b").length), 0);
  await page.selectOption("#example", "1");
  assert.equal(await page.inputValue("#scenario"), EXAMPLES[1].text);
  assert.equal(await page.textContent("#diagnostic"), "");
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a run that goes on forever is stopped, and the page stays awake meanwhile", async () => {
  const page = await playground(simulatorModule(DONE, "runs forever"), lockedFilm({ steps: 20 }).film);
  await shows(page, 0);
  await page.click("#run");
  await page.keyboard.press("Escape");
  await page.click("#on");
  await shows(page, 1);
  assert.ok(await page.isEnabled("#stop") && !(await page.isEnabled("#run")));
  await page.click("#stop");
  await page.waitForFunction(() => document.querySelector("#diagnostic").textContent === "stopped");
  assert.ok(await page.isEnabled("#run"));
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a fault of the simulator is said, and so is a module that is none", async () => {
  const faulty = await playground(simulatorModule({ ...DONE, exit: 1, diagnostic: "error: index out of bounds", record: null, digest: null }, "stops by a fault"));
  await faulty.click("#run");
  await faulty.waitForFunction(() => document.querySelector("#diagnostic").textContent === "error: index out of bounds");
  await faulty.context().close();
  const none = await playground("AAAA");
  await none.click("#run");
  await none.waitForFunction(() => document.querySelector("#diagnostic").textContent !== "");
  assert.ok(await none.isEnabled("#run"));
  await none.context().close();
});

test("a trace that is dropped onto the page is named by the scenario", async () => {
  const page = await playground(simulatorModule(DONE));
  await page.selectOption("#example", "1");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["0\t1\t2\n"], "my trace.tsv"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector("#scenario").value.includes('path: "my trace.tsv"'));
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#digest").textContent.includes("00ff"));
  assert.deepEqual(page.said, []);
  await page.context().close();
});

// Regression: the path of the scenario became that of the recording.
test("of a recording that is dropped the scenario and the seed are taken", async () => {
  const page = await playground(simulatorModule(DONE));
  await page.selectOption("#example", "1");
  await page.evaluate(() => {
    const data = new DataTransfer();
    const header = '{"acrasin":"replay","format":1,"seed":18446744073709551615,"scenario":"(seed: 3, topology: Ring(nodes: 5))"}';
    data.items.add(new File([`${header}\n["lock",0]\n`], "deadlock.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector("#scenario").value.startsWith("(seed: 3"));
  assert.equal(await page.inputValue("#scenario"), "(seed: 3, topology: Ring(nodes: 5))");
  assert.equal(await page.inputValue("#seed"), "18446744073709551615");
  assert.match(await page.textContent("#playground"), /the scenario and the seed of deadlock\.jsonl/);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

// Regression: choosing an example and loading the page again lost the edited text.
test("what was edited is kept when an example is chosen and when the page is loaded again", async () => {
  const page = await playground(simulatorModule(DONE));
  await page.fill("#scenario", "mine\n");
  await page.fill("#seed", "12");
  await page.selectOption("#example", "1");
  assert.equal(await page.inputValue("#scenario"), EXAMPLES[1].text);
  await page.selectOption("#example", "own");
  assert.equal(await page.inputValue("#scenario"), "mine\n");
  await page.reload();
  assert.equal(await page.inputValue("#scenario"), "mine\n");
  assert.equal(await page.inputValue("#seed"), "12");
  assert.equal(await page.inputValue("#example"), "own");
  await page.selectOption("#example", "0");
  await page.reload();
  assert.equal(await page.inputValue("#scenario"), EXAMPLES[0].text);
  await page.selectOption("#example", "own");
  assert.equal(await page.inputValue("#scenario"), "mine\n");
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the address keeps the scenario and its seed, and a damaged one is said", async () => {
  const page = await playground(simulatorModule(DONE));
  const text = "(title: \"Über <b>\", seed: 4)\n".repeat(40);
  await page.fill("#scenario", text);
  await page.fill("#seed", "77");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.includes("scenario="));
  const hash = await page.evaluate(() => location.hash);
  assert.ok(hash.length < 200, hash);
  const open = (at) => browser.open({ title: "Playground", playground: { simulator: simulatorModule(DONE), examples: EXAMPLES } }, { hash: at });
  const again = await open(hash);
  await again.waitForFunction(() => document.querySelector("#seed").value === "77");
  assert.equal(await again.inputValue("#scenario"), text);
  const damaged = await open("#scenario=AAAA");
  await damaged.waitForFunction(() => document.querySelector("#diagnostic").textContent !== "");
  assert.equal(await damaged.textContent("#diagnostic"), "the scenario in the address of the page is damaged");
  assert.deepEqual([...page.said, ...again.said, ...damaged.said], []);
  for (const one of [page, again, damaged]) await one.context().close();
});

test("axe finds no barrier in the playground, before and after a run", async () => {
  const { film } = amoebotsFilm({ steps: 60 });
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.open({ title: "Playground", playground: { simulator: simulatorModule({ ...DONE, film: { head: film.head, chunks: film.chunks } }), examples: EXAMPLES } }, { colorScheme });
    assert.deepEqual(await barriers(page), []);
    await page.click("#run");
    await shows(page, 0);
    assert.deepEqual(await barriers(page), []);
    await page.context().close();
  }
});

// Regression: the picture of the run before was shown as if it were that of the run.
test("until a run has a film, the picture is marked as that of the run before; its record is reached by the keyboard", async () => {
  const { film } = amoebotsFilm({ steps: 60 });
  const page = await playground(simulatorModule({ ...DONE, film: { head: film.head, chunks: film.chunks } }), film);
  await shows(page, 0);
  const isMarked = () => page.evaluate(() => document.body.classList.contains("of-earlier-run"));
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#record").textContent !== "");
  assert.equal(await isMarked(), false);
  await page.focus("#stop, #run");
  for (let tabs = 0; tabs < 4 && !(await page.evaluate(() => document.activeElement.id === "record")); tabs += 1) await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => `${document.activeElement.id} ${document.activeElement.getAttribute("aria-label")}`), "record record");
  await page.context().close();

  const endless = await playground(simulatorModule(DONE, "runs forever"), film);
  await shows(endless, 0);
  await endless.click("#run");
  await endless.waitForFunction(() => document.body.classList.contains("of-earlier-run"));
  await endless.click("#stop");
  await endless.waitForFunction(() => !document.body.classList.contains("of-earlier-run"));
  assert.deepEqual([...page.said, ...endless.said], []);
  await endless.context().close();
});

// Regression: a frame that was still loading for a film that was replaced was drawn over the new film, at its moment.
test("a film that was replaced changes nothing afterwards", async () => {
  const { film } = lockedFilm({ steps: 600, framesPerChunk: 64 });
  const page = await browser.open(film);
  await shows(page, 0);
  const after = await page.evaluate(async () => {
    const { page: shown, player } = globalThis.acrasin;
    const going = player.go(500);
    shown.redraw();
    shown.close();
    const state = () => [document.querySelector("#scrubber").value, document.querySelector("#step").value, document.querySelector("#picture").toDataURL()].join();
    const before = state();
    await going;
    await new Promise((resolve) => setTimeout(resolve, 700));
    return { isSame: state() === before, frame: player.film.frame, hash: location.hash };
  });
  assert.deepEqual(after, { isSame: true, frame: 500, hash: "" });
  assert.deepEqual(page.said, []);
  await page.context().close();
});

/** Scenarios of the kept results that need nothing but their own text: path, seed, digest. */
function keptResults() {
  const found = [];
  for (const line of readFileSync(join(ROOT, "testdata/golden/results.txt"), "utf8").split("\n")) {
    const kept = /^run --seed (\d+) (\S+\.ron)\t.*\{"configuration":"([0-9a-f]+)"\}$/.exec(line);
    if (kept === null) continue;
    const [, seed, path, digest] = kept;
    const steps = Math.max(0, ...[...line.matchAll(/"(?:interactions|steps|activations|turns)":(\d+)/g)].map(([, number]) => Number(number)));
    if (!existsSync(join(ROOT, path)) || /\b(path|file):/.test(readFileSync(join(ROOT, path), "utf8"))) continue;
    found.push({ seed, path, digest, steps });
  }
  return found;
}

/** The eight shortest of at most 100,000 steps, taken from the folders in turn. */
function eight() {
  const quick = keptResults().filter(({ steps }) => steps <= 100_000).sort((left, right) => left.steps - right.steps || (left.path < right.path ? -1 : 1));
  const byFolder = new Map();
  for (const result of quick) byFolder.set(dirname(result.path), [...(byFolder.get(dirname(result.path)) ?? []), result]);
  const chosen = [];
  for (let row = 0; chosen.length < 8 && row < quick.length; row += 1) for (const results of byFolder.values()) if (results[row] !== undefined && chosen.length < 8) chosen.push(results[row]);
  return chosen;
}

const missing = existsSync(SIMULATOR) ? false : `the simulator was not built: ${basename(SIMULATOR)} (crates/playground/build)`;

/** Runs a scenario by the module in node. */
async function inNode(module, { path, seed }) {
  let shown = 0;
  const { exports } = await WebAssembly.instantiate(module, { page: { show: () => (shown += 1) } });
  const request = Buffer.from(JSON.stringify({ text: readFileSync(join(ROOT, path), "utf8"), name: "scenario.ron", seed }));
  const at = exports.room(request.length);
  new Uint8Array(exports.memory.buffer, at, request.length).set(request);
  exports.run();
  return JSON.parse(Buffer.from(exports.memory.buffer, exports.told(), exports.told_bytes()).toString("utf8"));
}

test("eight scenarios end in the digests of the command, in node", { skip: missing }, async () => {
  const chosen = eight();
  assert.equal(chosen.length, 8);
  const module = await WebAssembly.compile(gunzipSync(readFileSync(SIMULATOR)));
  for (const result of chosen) assert.equal((await inNode(module, result)).digest, result.digest, result.path);
});

// Regression: a run without an end had no film, and grew until it died.
test("a run without an end is shown while it goes on, in bounded memory", { skip: missing }, async () => {
  const text = '(topology: Torus(rows: 20, columns: 20), seed: 1, scheduler: UniformPairs, stop: [Interactions("10^15")], work: Interactions(protocol: Library(name: "rock-paper-scissors"), initial: Counts({"R": 140, "P": 130, "S": 130})))';
  const module = await WebAssembly.compile(gunzipSync(readFileSync(SIMULATOR)));
  let films = 0;
  let steps = 0;
  const show = () => {
    const { head } = JSON.parse(Buffer.from(exports.memory.buffer, exports.told(), exports.told_bytes()).toString("utf8"));
    films += head === undefined ? 0 : 1;
    steps = head?.steps ?? steps;
    if (films === 150) throw new Error("enough");
  };
  const { exports } = await WebAssembly.instantiate(module, { page: { show } });
  const request = Buffer.from(JSON.stringify({ text, name: "scenario.ron", seed: null }));
  const at = exports.room(request.length);
  new Uint8Array(exports.memory.buffer, at, request.length).set(request);
  assert.throws(() => exports.run(), /enough/);
  // By then it was thinned: it has more steps than a film has frames.
  assert.ok(steps > 200_001, `${steps} steps`);
  assert.ok(exports.memory.buffer.byteLength < 20_000_000, `${exports.memory.buffer.byteLength} bytes`);
});

test("the simulator itself shows a run while it goes on, in the picture too, and ends in the digest of the command", { skip: missing }, async (context) => {
  const kept = keptResults().find(({ path }) => path === "examples/18_load_balancing.ron");
  const page = await playground(readFileSync(SIMULATOR).toString("base64"));
  await page.fill("#scenario", readFileSync(join(ROOT, kept.path), "utf8"));
  await page.fill("#seed", kept.seed);
  // The displayed text at each report of progress.
  await page.evaluate(() => {
    const box = document.querySelector("#digest");
    globalThis.seen = [];
    new MutationObserver(() => {
      const film = globalThis.acrasin?.film;
      const frame = film?.configuration.chunk ? film.frame : 0;
      const picture = document.querySelector("#picture").toDataURL();
      globalThis.seen.push({ text: box.textContent, frame, runs: document.querySelector("#run").disabled, picture });
    }).observe(box, { childList: true, characterData: true, subtree: true });
  });
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled, null, { timeout: 120_000 });
  const seen = (await page.evaluate(() => globalThis.seen)).filter(({ runs, text }) => runs && /^runs … step/.test(text));
  const moved = seen.filter(({ frame }) => frame > 0);
  const pictures = new Set(moved.map(({ picture }) => picture));
  context.diagnostic(`shown ${seen.length} times before the end, ${moved.length} with another frame than the start, ${pictures.size} pictures`);
  assert.ok(seen.length >= 5 && moved.length >= 3 && pictures.size >= 3, JSON.stringify(seen.map(({ text, frame }) => [text, frame])));
  assert.equal(await page.textContent("#digest"), `seed ${kept.seed}, digest ${kept.digest}`);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("every example of the playground runs, with the files that it names", { skip: missing }, async (context) => {
  const page = await browser.open({ title: "Playground", playground: { simulator: readFileSync(SIMULATOR).toString("base64"), examples: writtenExamples() } });
  for (const [at, { name, text }] of writtenExamples().entries()) {
    await page.selectOption("#example", String(at));
    if (text.includes("contacts.tsv")) {
      await page.evaluate(() => {
        const data = new DataTransfer();
        const lines = Array.from({ length: 400 }, (_, line) => `${20 * (1 + Math.floor(line / 2))}\t${line % 7}\t${7 + (line % 5)}\n`);
        data.items.add(new File(lines, "mine.tsv"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await page.waitForFunction(() => document.querySelector("#scenario").value.includes('path: "mine.tsv"'));
    }
    await page.click("#run");
    // Examples that run longer than this are stopped while their film is shown.
    const ended = () => page.waitForFunction(() => !document.querySelector("#run").disabled, null, { timeout: 8_000 });
    const isOver = await ended().then(() => true, () => false);
    if (isOver) {
      const digest = await page.textContent("#digest");
      context.diagnostic(`${name}: ${digest}`);
      assert.match(digest, /^seed \d+, digest [0-9a-f]{32}$/, `${name}: ${await page.textContent("#diagnostic")}`);
    } else {
      await page.waitForFunction(() => globalThis.acrasin.film.head.steps > 1000, null, { timeout: 60_000 });
      context.diagnostic(`${name}: stopped at ${await page.evaluate(() => globalThis.acrasin.film.head.steps)} steps`);
      await page.click("#stop");
      await page.waitForFunction(() => document.querySelector("#diagnostic").textContent === "stopped");
    }
  }
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("and in the browser", { skip: missing }, async (context) => {
  const page = await playground(readFileSync(SIMULATOR).toString("base64"));
  for (const { path, seed, digest } of eight()) {
    context.diagnostic(`${path}: ${digest}`);
    await page.fill("#scenario", readFileSync(join(ROOT, path), "utf8"));
    await page.fill("#seed", seed);
    await page.click("#run");
    await page.waitForFunction(() => !document.querySelector("#run").disabled, null, { timeout: 60_000 });
    assert.equal(await page.textContent("#digest"), `seed ${seed}, digest ${digest}`, path);
  }
  await page.fill("#scenario", readFileSync(join(ROOT, "examples/00_exact_majority.ron"), "utf8").replace("Torus(", "Toruss("));
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#diagnostic").textContent !== "");
  assert.match(await page.textContent("#diagnostic"), /unknown name `Toruss`\n --> scenario\.ron:8:15\n[^]*\^{6}\n[^]*did you mean `Torus`/);
  assert.deepEqual(page.said, []);
  await page.context().close();
});
