// The committed simulator behaves like the command: the same scenarios end with the same digests, exit codes and figures.
//
//   ACRASIN=target/release/acrasin node --test crates/playground/behaviour.test.mjs
//
// The bytes of the module do not matter. It need not be rebuilt after a new comment, compiler or faster loop.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMMAND = process.env.ACRASIN ?? join(ROOT, "target/release/acrasin");
const SIMULATOR = process.env.PAGE_TEST_SIMULATOR ?? join(ROOT, "crates/view/page/acrasin.wasm.gz");

/** Scenarios of the repository that need no other files, some with a text replaced. */
const SCENARIOS = [
  // Locks: published and repaired rules, changing graphs, the other two algorithms, the other rungs.
  ["examples/06_published_deadlock.ron"],
  ["examples/08_your_own_table.ron", "nodes: 200", "nodes: 40"],
  ["examples/10_churn_asynchronous.ron", "[OutputsAgree]", "[Rounds(300)]"],
  ["examples/16_token_on_a_tree.ron"],
  ["examples/18_load_balancing.ron", "each: 20", "each: 3"],
  ["examples/13_messages_epidemic.ron", "rows: 200, columns: 200", "rows: 20, columns: 20"],
  ["examples/22_every_message_on_planes.ron", "Rounds(5000)", "Rounds(100)"],
  ["examples/12_waves_epidemic.ron", "rows: 1000, columns: 1000", "rows: 40, columns: 40"],
  // Uniform pairs in epochs, along edges, and with states that are discovered during the run.
  ["examples/15_uniform_pairs.ron", "nodes: 1e9", "nodes: 1e6"],
  ["examples/catalogue/graph-majority.ron"],
  ["examples/catalogue/junta-leader.ron"],
  // Reactions, in a volume and on a graph.
  ["examples/laws/gene.ron"],
  ["examples/laws/epidemic-on-a-graph.ron"],
  // Amoebots: one at a time, over locks, a Markov chain.
  ["amoebot/scenarios/bridging.ron", "Steps(1_000_000)", "Steps(50_000)"],
  ["amoebot/scenarios/compression.ron", "Steps(5_000_000)", "Steps(100_000)"],
  ["amoebot/scenarios/erosion.ron"],
];

let folder;
let module;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "acrasin-behaviour-"));
  module = await WebAssembly.compile(gunzipSync(readFileSync(SIMULATOR)));
});
after(() => rmSync(folder, { recursive: true }));

/** The text of a scenario. */
function textOf([path, from, to]) {
  const text = readFileSync(join(ROOT, path), "utf8");
  if (from === undefined) return text;
  assert.ok(text.includes(from), `${path} has no \`${from}\``);
  return text.replace(from, to);
}

/**
 * The numbers of a record by section, without its labels. The machine, the program and the bytes of a state in memory may differ.
 *
 * @returns {Map<string, string>} the numbers of a section by its title
 */
function figures(record) {
  const sections = record.split(/\n\s*\n/).map((section) => section.trim().split("\n"));
  const kept = sections.filter(([title]) => !/^(Made by|Memory|Scenario|\d+ thread)/.test(title));
  return new Map(kept.map(([title, ...rows]) => [title, (rows.join(" ").match(/[0-9a-f]{32}|\d+/g) ?? []).join(" ")]));
}

/** The result of a scenario in the simulator: exit code, digest, figures. */
async function inSimulator(scenario, seed) {
  const { exports } = await WebAssembly.instantiate(module, { page: { show: () => {} } });
  const request = Buffer.from(JSON.stringify({ text: textOf(scenario), name: "scenario.ron", seed }));
  const at = exports.room(request.length);
  new Uint8Array(exports.memory.buffer, at, request.length).set(request);
  exports.run();
  const answer = JSON.parse(Buffer.from(exports.memory.buffer, exports.told(), exports.told_bytes()).toString("utf8"));
  assert.equal(answer.diagnostic, null);
  return { exit: answer.exit, digest: answer.digest, figures: figures(answer.record) };
}

/** The result of a scenario by the command. */
function byCommand(scenario, seed) {
  const path = join(folder, "scenario.ron");
  writeFileSync(path, textOf(scenario));
  const run = spawnSync(COMMAND, ["run", path, "--seed", seed], { encoding: "utf8" });
  assert.ok(run.error === undefined && run.stdout !== "", `${COMMAND}: ${run.error ?? run.stderr}`);
  const found = figures(run.stdout);
  return { exit: run.status, digest: found.get("Digest")?.split(" ")[0] ?? null, figures: found };
}

for (const scenario of SCENARIOS) {
  test(`${scenario[0]} ends as by the command`, async () => {
    assert.deepEqual(await inSimulator(scenario, "5"), byCommand(scenario, "5"));
  });
}

test("another digest, exit code, count or seed is found", async () => {
  const scenario = SCENARIOS[0];
  const [kept, command] = [await inSimulator(scenario, "5"), byCommand(scenario, "5")];
  assert.ok(command.figures.size > 3 && command.digest?.length === 32, "the record is read");
  const differs = (changed) => assert.notDeepEqual({ ...kept, ...changed }, command);
  differs({ digest: kept.digest.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) });
  differs({ exit: kept.exit + 1 });
  for (const [title, numbers] of kept.figures) differs({ figures: new Map(kept.figures).set(title, `${numbers} 1`) });
  assert.notDeepEqual(await inSimulator(scenario, "5"), byCommand(scenario, "6"));
});
