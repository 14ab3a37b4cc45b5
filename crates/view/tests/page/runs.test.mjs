// Real runs: `acrasin view` writes the pages, the browser plays them, and at 20 random moments they show the values that `acrasin replay --at`
// computes for those moments. ACRASIN names the command (default: target/release/acrasin); without it all tests are skipped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser, coloursOf, shows } from "./browser.mjs";
import { seeded } from "./films.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const ACRASIN = process.env.ACRASIN ?? join(ROOT, "target/release/acrasin");
const knows = (...words) => existsSync(ACRASIN) && spawnSync(ACRASIN, words).status === 0;
const missing = knows("view", "--help") ? false : "no acrasin with `view` (ACRASIN, or target/release/acrasin)";
const hasMoments = existsSync(ACRASIN) && /--at\b/.test(spawnSync(ACRASIN, ["replay", "--help"], { encoding: "utf8" }).stdout ?? "");

const CONTACTS = `(
    title: "An epidemic over a trace",
    seed: 3,
    topology: Contacts(path: "trace.tsv", format: Instants(resolution: 20), rounds_per_step: 40),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(protocol: Library(name: "two-way-epidemic"), way: AnyLocked, initial: Nodes(states: {"I": [0]}, rest: "S")),
    stop: [Counts("S == 0"), TraceEnd],
)
`;

const WALKERS = `(
    title: "An epidemic among walkers",
    seed: 3,
    topology: Mobility(nodes: 20, side: 16, range: 4, speed: (0.5, 1.5), pause: 5, step: 1, duration: 30, rounds_per_step: 8),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(protocol: Library(name: "two-way-epidemic"), way: AnyLocked, initial: Nodes(states: {"I": [0]}, rest: "S")),
    stop: [TraceEnd],
)
`;
const GEOMETRIC = `(
    title: "An epidemic on a geometric graph",
    seed: 3,
    topology: RandomGeometric(nodes: 60, radius: 0.18),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    rung: F3,
    work: Interactions(protocol: Library(name: "two-way-epidemic"), way: AnyLocked, initial: Nodes(states: {"I": [0]}, rest: "S")),
    stop: [Rounds(300)],
)
`;
const CONCURRENT = `(
    title: "Hexagon formation over message locks",
    seed: 3,
    amoebots: (algorithm: Hexagon, start: Line(count: 9)),
    execution: Concurrent(locks: Messages()),
)
`;
const WRITTEN = { "contacts.ron": CONTACTS, "walkers.ron": WALKERS, "geometric.ron": GEOMETRIC, "concurrent.ron": CONCURRENT };

/** What is shown: the subject, and further arguments; `has`: keys of columns that must be there, `flags`: what must happen. */
const SUBJECTS = {
  "a lattice protocol": { path: "examples/00_exact_majority.ron", set: ["topology.rows=5", "topology.columns=5"], has: ["state", "lock", "holder"], flags: 1 },
  "a contact trace": { written: "contacts.ron", has: ["state", "lock"], flags: 4 },
  walkers: { written: "walkers.ron", has: ["state", "lock", "px", "py"], flags: 5 },
  "a geometric graph on rung F3": { written: "geometric.ron", has: ["state", "lock", "holder"], flags: 0 },
  "amoebots over message locks": { written: "concurrent.ron", has: ["state", "lock", "holder", "tail_x"], flags: 1 },
  "a recording with a deadlock": { path: "testdata/replays/f1-crossing-late-requests.jsonl", set: [], has: ["lock", "trial"], flags: 0, end: /deadlock/ },
  "a recording that breaks a promise": { path: "testdata/replays/f3-mutual-exclusion.jsonl", set: [], has: ["lock", "holder"], flags: 2 },
  "coating": { path: "amoebot/scenarios/coating.ron", set: [], has: ["state", "head_x", "parent"], flags: 0 },
  "an election by tokens": { path: "amoebot/scenarios/token-election.ron", set: [], has: ["state", "tokens"], flags: 0 },
  "hexagon formation": { path: "amoebot/scenarios/hexagon-half-way.ron", set: [], has: ["state", "tail_x", "direction"], flags: 0 },
};

let browser;
let folder;
before(async () => {
  browser = await Browser.start();
  folder = mkdtempSync(join(tmpdir(), "film-page-"));
  const random = seeded(5);
  const lines = [];
  for (let step = 1; step <= 60; step += 1) {
    for (let pair = 0; pair < 6; pair += 1) {
      const [a, b] = [Math.floor(random() * 15), Math.floor(random() * 15)];
      if (a !== b) lines.push(`${20 * step}\t${Math.min(a, b)}\t${Math.max(a, b)}`);
    }
  }
  writeFileSync(join(folder, "trace.tsv"), `${[...new Set(lines)].join("\n")}\n`);
  for (const [name, text] of Object.entries(WRITTEN)) writeFileSync(join(folder, name), text);
});
after(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});

/** The configuration that the page shows, as `acrasin replay --at` writes it. */
function shownConfiguration(page) {
  return page.evaluate(() => {
    const { configuration, head } = globalThis.acrasin.film;
    const nodes = [...Array(head.nodes).keys()];
    const columns = Object.fromEntries(head.columns.map((column, place) => [column.key, nodes.map((node) => configuration.meaning(place, node))]));
    const edges = [...configuration.edges].map((edge) => [Math.floor(edge / head.nodes), edge % head.nodes]);
    const messages = [...configuration.messages.values()].map(({ from, to, kind }) => ({ from, to, kind: head.messages[kind] }));
    return { step: globalThis.acrasin.film.stepOf(globalThis.acrasin.film.frame), columns, edges, messages };
  });
}

/** With edges and messages in an order of their own. */
function ordered({ step, columns, edges, messages }) {
  const sorted = (list) => list.map((item) => JSON.stringify(item)).sort();
  const plain = messages.map(({ from, to, kind }) => ({ from, to, kind }));
  return { step, columns, edges: sorted(edges), messages: sorted(plain) };
}

for (const [name, { path, set = [], written, has, flags, end }] of Object.entries(SUBJECTS)) {
  test(`${name}: plays, scrubs, steps back, shows a node, exports, and is what the run was`, { skip: missing }, async (context) => {
    const subject = written ? join(folder, written) : join(ROOT, path);
    const settings = set.flatMap((setting) => ["--set", setting]);
    const out = join(folder, `${name.replace(/ /g, "-")}.html`);
    execFileSync(ACRASIN, ["view", subject, ...settings, "-o", out], { stdio: "pipe" });
    const page = await browser.openFile(out);
    await shows(page, 0);
    const head = await page.evaluate(() => globalThis.acrasin.film.head);
    const last = head.frames - 1;
    context.diagnostic(`${name}: ${head.nodes} nodes, ${head.frames} frames, ${(statSync(out).size / 1e6).toFixed(2)} MB`);
    for (const key of has) assert.ok(head.columns.some((column) => column.key === key), `column ${key}`);
    const all = head.chunks.reduce((union, chunk) => union | chunk.flags, 0);
    assert.equal(all & flags, flags);
    await page.click("#play");
    await page.waitForFunction(() => globalThis.acrasin.film.frame > 0);
    if (await page.evaluate(() => globalThis.acrasin.player.isPlaying)) await page.keyboard.press("Space");
    await page.click("#to-end");
    await shows(page, last);
    assert.ok((await coloursOf(page)).colours > 3);
    if (end !== undefined) assert.match(await page.textContent("#event"), end);
    for (let back = 1; back <= Math.min(3, last); back += 1) {
      await page.keyboard.press("ArrowLeft");
      await shows(page, last - back);
    }
    await page.click("#to-start");
    await shows(page, 0);
    const place = await page.evaluate(() => {
      const { picture } = globalThis.acrasin;
      const box = document.querySelector("#picture").getBoundingClientRect();
      return { x: box.left + picture.camera.across(picture.places.x[1]), y: box.top + picture.camera.down(picture.places.y[1]) };
    });
    await page.mouse.click(place.x, place.y);
    assert.equal(await page.inputValue("#node"), "1");
    assert.ok((await page.locator("#inspector tr").count()) > 1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-svg")]);
    assert.match(download.suggestedFilename(), /-0\.svg$/);
    if (flags & 1) {
      await page.keyboard.press("g");
      await page.waitForFunction(() => globalThis.acrasin.film.action.flags & 1);
      const drawn = await page.evaluate(() => {
        const { batches } = globalThis.acrasin.picture.scene(800, 600);
        return { stars: batches.filter((batch) => batch.kind === "capsules" && batch.opacity).length, hulls: batches.filter((batch) => batch.kind === "hulls").length };
      });
      assert.ok(drawn.stars > 0 && drawn.hulls > 0, `a lock set is drawn: ${JSON.stringify(drawn)}`);
    }
    if (hasMoments) {
      const random = seeded(11);
      for (let moment = 0; moment < 20; moment += 1) {
        const frame = moment === 0 ? last : Math.floor(random() * head.frames);
        await page.evaluate((to) => globalThis.acrasin.player.go(to), frame);
        await shows(page, frame);
        const step = Math.min(frame * head.every, head.steps);
        const told = execFileSync(ACRASIN, ["replay", subject, ...settings, "--at", String(step), "--format", "jsonl"], { encoding: "utf8", maxBuffer: 1 << 28 });
        assert.deepEqual(ordered(await shownConfiguration(page)), ordered(JSON.parse(told)), `step ${step}`);
      }
    } else {
      context.diagnostic("SKIPPED: 20 moments against `acrasin replay --at`, which this acrasin does not know");
    }
    assert.deepEqual(page.said, []);
    await page.context().close();
  });
}

test("a run that keeps counts alone shows them over time, and bars", { skip: missing }, async () => {
  const out = join(folder, "counts.html");
  execFileSync(ACRASIN, ["view", join(ROOT, "examples/15_uniform_pairs.ron"), "--set", "topology.nodes=1e6", "-o", out], { stdio: "pipe" });
  const page = await browser.openFile(out);
  await shows(page, 0);
  const head = await page.evaluate(() => globalThis.acrasin.film.head);
  assert.equal(head.nodes, 0);
  assert.ok(await page.isVisible("#counts"));
  const bars = () => page.evaluate(() => globalThis.acrasin.picture.scene(800, 600).batches.filter((batch) => batch.kind === "areas").map((batch) => batch.points[2]));
  const start = await bars();
  assert.equal(start.length, head.counts.names.length);
  const cursor = () => page.evaluate(() => document.querySelector("#cursor").getBoundingClientRect().left);
  const left = await cursor();
  await page.click("#to-end");
  await shows(page, head.frames - 1);
  assert.notDeepEqual(await bars(), start);
  assert.ok((await cursor()) > left + 100, "the cursor is at the end");
  assert.deepEqual(page.said, []);
  await page.context().close();
});
