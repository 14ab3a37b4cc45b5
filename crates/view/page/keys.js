import { made } from "./inspector.js";

/** The functions of the keys, for the help. */
const KEYS = [
  ["space", "play, pause"],
  ["→ ←", "one frame on, one back (shift: ten)"],
  ["Home End", "to the start, to the end"],
  ["+ -", "faster, slower"],
  ["G V C", "next grant, violation, change of the graph (shift: the one before)"],
  ["[ ]", "node before, node after"],
  ["Esc", "no node"],
  ["F", "fit the picture"],
  ["I O", "zoom in, zoom out"],
  ["D", "light, dark, as the system"],
  ["H", "panels"],
  ["?", "this help"],
];

/** Fills the help. @param {HTMLDialogElement} dialog */
export function fillHelp(dialog) {
  const rows = made("dl", "", "keys");
  for (const [key, what] of KEYS) {
    const name = made("dt");
    name.append(made("kbd", key));
    rows.append(name, made("dd", what));
  }
  const mouse = made("p", "Drag moves the picture, wheel or two fingers scale it, a click shows a node. The address of the page names the step, the node, the colours and the view (#t=1234&node=5); with ?embed it shows the picture and the player alone, for slides.");
  const close = made("button", "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.append(made("h2", "Keys"), rows, mouse, close);
}

/**
 * Listens to the keyboard; keys that an input element uses are left to it.
 *
 * @param {Document} page @param {Record<string, (shift: boolean) => void>} actions by key
 * @param {AbortSignal} signal ends it
 */
export function listenToKeys(page, actions, signal) {
  page.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    const needs = keysOf(target);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (needs === "all" || needs.includes(key) || page.querySelector("dialog[open]") !== null) return;
    const action = actions[key];
    if (action === undefined) return;
    event.preventDefault();
    action(event.shiftKey);
  }, { signal });
}

/** The keys that an element uses itself. */
function keysOf(element) {
  switch (element.tagName) {
    case "TEXTAREA":
      return "all";
    case "INPUT":
      if (element.type === "range") return [];
      return element.type === "checkbox" ? [" "] : "all";
    case "SELECT":
      return "all";
    case "BUTTON":
      return [" ", "Enter"];
    default:
      return [];
  }
}
