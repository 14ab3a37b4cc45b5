// The examples of the playground, from the scenarios of the repository: `node examples.mjs` writes page/examples.json again.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const OUT = `${ROOT}crates/view/page/examples.json`;

/** Names, scenarios, and files that they name. */
const CHOSEN = [
  ["approximate majority on walkers", "protocols/scenarios/approximate-majority-mobility.ron", []],
  ["published deadlock", "examples/06_published_deadlock.ron", []],
  ["hexagon formation over message locks", "amoebot/scenarios/hexagon-messages.ron", []],
  ["compression", "amoebot/scenarios/compression.ron", []],
  ["universal coating", "amoebot/scenarios/universal-coating.ron", ["amoebot/scenarios/universal-coating.txt"]],
  ["exact majority on a torus", "examples/00_exact_majority.ron", []],
];

/** A contact trace that a visitor drops onto the page takes the place of this path. */
const CONTACTS = {
  name: "your contact trace",
  summary: "Drop a file onto the page: a line is t i j, people i and j were in contact during the 20 seconds that end at second t.",
  text: `// An epidemic over recorded contacts: drop a file onto the page, and it takes the place of the path.
(
    title: "An epidemic over recorded contacts",
    seed: 1,
    topology: Contacts(path: "contacts.tsv", format: Instants(resolution: 20), rounds_per_step: 40),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(
        protocol: Library(name: "two-way-epidemic"),
        way: AnyLocked,
        initial: Nodes(states: {"I": [0]}, rest: "S"),
    ),
    stop: [Counts("S == 0"), TraceEnd],
)
`,
  files: [],
};

/** The comment that a scenario begins with, as one paragraph of at most three sentences; without what to give the command. */
function summaryOf(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  const paragraph = lines.slice(0, end).map((line) => line.slice(2).trim()).filter((line) => line !== "").join(" ");
  const sentences = paragraph.split(/(?<=[.:]) (?=[A-Z`])|(?<=Published|none)\.?$/).filter(Boolean);
  return sentences.filter((sentence) => !/--set|`acrasin (run|check)`/.test(sentence) && !/^Try other values/.test(sentence)).join(" ").split(/(?<=\.) /).slice(0, 3).join(" ");
}

/** What page/examples.json must hold. */
export function examples() {
  const read = (path) => readFileSync(ROOT + path, "utf8");
  const found = CHOSEN.map(([name, path, files]) => {
    const text = read(path);
    return { name, summary: summaryOf(text), text, files: files.map((file) => ({ name: file.split("/").at(-1), text: read(file) })) };
  });
  return [...found, CONTACTS];
}

/** What it holds. */
export function writtenExamples() {
  return JSON.parse(readFileSync(OUT, "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(OUT, `${JSON.stringify(examples(), null, 1)}\n`);
