import { made, table } from "./inspector.js";
import { grouped } from "./words.js";

/** The names of the options of a picture. */
const NAMES = {
  legend: "legend",
  names: "numbers of nodes",
  hatching: "shapes and hatching",
  edges: "edges",
  locks: "Lock/Unlock as rings",
  sets: "lock sets",
  messages: "messages under way",
  arrows: "arrows and tokens",
};

/** Fills the panel with the options of the picture. @param {import("./picture.js").Picture} picture @param {HTMLElement} box @param {() => void} changed */
export function showChoices(picture, box, changed) {
  box.append(made("h2", "Picture"));
  const { head } = picture.film;
  if (picture.colourings.length > 1) {
    const select = made("select");
    select.id = "colour";
    for (const place of picture.colourings) {
      const option = made("option", head.columns[place].name);
      option.value = String(place);
      option.selected = place === picture.colourBy;
      select.append(option);
    }
    select.addEventListener("change", () => {
      picture.colourBy = Number(select.value);
      changed();
    });
    const label = made("label", "colours show ");
    label.append(select);
    box.append(label);
  }
  for (const choice of picture.choices) {
    const input = made("input");
    input.type = "checkbox";
    input.checked = picture.options[choice];
    input.id = `show-${choice}`;
    input.addEventListener("change", () => {
      picture.options[choice] = input.checked;
      changed();
    });
    const label = made("label", "", "choice");
    label.append(input, ` ${NAMES[choice]}`);
    box.append(label);
  }
  box.hidden = head.nodes === 0;
}

/** Fills the panel with the facts of the run. @param {object} head @param {HTMLElement} box */
export function showFacts(head, box) {
  box.append(made("h2", "Run"));
  for (const note of head.notes) box.append(made("p", note, "note"));
  const facts = [...head.facts];
  if (head.nodes > 0) facts.unshift([head.kind === "population" ? "nodes" : head.kind === "cells" ? "particles" : "amoebots", grouped(head.nodes)]);
  box.append(table("facts", facts));
}
