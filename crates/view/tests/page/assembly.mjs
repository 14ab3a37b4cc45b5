// Assembles the page into one file as described in page/README.md, and checks the rules that the modules must follow.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "./writer.mjs";

const PAGE = fileURLToPath(new URL("../../page/", import.meta.url));
const read = (name) => readFileSync(PAGE + name, "utf8");

/** The modules in their order. */
export function moduleNames() {
  return read("order.txt").split("\n").filter((line) => line !== "");
}

/** What is wrong with the modules for being put one after another; empty if nothing. */
export function faults() {
  const found = [];
  const owner = new Map();
  const before = new Set();
  for (const name of moduleNames()) {
    const text = read(name);
    if (/<\/script|<!--/i.test(text)) found.push(`${name}: ends a script element`);
    if (/^export default|\bimport\(/m.test(text.replace(/\/\*\*[\s\S]*?\*\//g, ""))) found.push(`${name}: a default export or a dynamic import`);
    for (const [, from] of text.matchAll(/^import .* from "(.*)";$/gm)) {
      const target = posix.join(posix.dirname(name), from);
      if (!before.has(target)) found.push(`${name}: imports ${target}, which does not come before it`);
    }
    if (/^import (?!.* from "[^"]*";$)/m.test(text)) found.push(`${name}: an import of more than one line`);
    for (const [, word] of text.matchAll(/^(?:export )?(?:async )?(?:const|let|class|function\*?) ([A-Za-z_$][\w$]*)/gm)) {
      if (owner.has(word)) found.push(`${name}: ${word} is also in ${owner.get(word)}`);
      owner.set(word, name);
    }
    before.add(name);
  }
  return found;
}

/** The modules as one script. */
export function script() {
  return moduleNames()
    .map((name) => read(name).split("\n").filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export /, "")).join("\n"))
    .join("\n");
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** One file with a film in it, with the simulator, or with both; `chunks` are base64, `head` is text or what becomes JSON, or null. */
export function assemble({ head = null, chunks = [], title = head?.title ?? "", playground = null }) {
  const inScript = (text) => text.replace(/</g, "\\u003c");
  const elements = [];
  if (head !== null) {
    const headText = typeof head === "string" ? head : JSON.stringify(head);
    elements.push(`<script type="application/json" id="film-head" data-check="${crc32(inScript(headText))}">${inScript(headText)}</script>`);
  }
  elements.push(...chunks.map((chunk, at) => `<script type="application/octet-stream" class="film-chunk" data-chunk="${at}">${chunk}</script>`));
  if (playground !== null) {
    elements.push(`<script type="application/octet-stream" id="simulator">${playground.simulator}</script>`);
    elements.push(`<script type="application/json" id="examples">${inScript(JSON.stringify(playground.examples))}</script>`);
  }
  const film = elements.join("\n");
  const marks = { title: escaped(title), style: read("page.css"), film, script: script() };
  return read("page.html").replace(/\{\{(\w+)\}\}/g, (_, mark) => marks[mark]);
}
