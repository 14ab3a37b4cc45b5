import { made, table } from "./inspector.js";
import { conditionOf } from "./variable.js";
import { grouped } from "./words.js";

/** The names of the options of a picture. */
const NAMES = {
  legend: "legend",
  names: "texts of nodes",
  hatching: "shapes and hatching",
  edges: "edges",
  locks: "Lock/Unlock as rings",
  sets: "lock sets",
  messages: "messages under way",
  circuits: "circuits and bonds",
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
  const text = made("select");
  text.id = "text";
  for (const [value, name] of [["", head.labels === null ? "their numbers" : "their names"], ...picture.colourings.map((place) => [String(place), head.columns[place].name])]) {
    const option = made("option", name);
    option.value = value;
    text.append(option);
  }
  text.addEventListener("change", () => {
    picture.textBy = text.value === "" ? null : Number(text.value);
    picture.options.names = true;
    const names = document.getElementById("show-names");
    if (names !== null) names.checked = true;
    changed();
  });
  const written = made("label", "texts show ", "choice");
  written.append(text);
  const input = made("input");
  input.id = "condition";
  input.type = "text";
  input.size = 18;
  input.autocomplete = "off";
  input.placeholder = head.columns.some((column) => column.key === "lock") ? "lock = competing" : `${head.columns[0]?.key ?? "state"} = …`;
  input.setAttribute("list", "conditions");
  const list = made("datalist");
  list.id = "conditions";
  for (const column of head.columns) {
    if (column.kind === "class") for (const value of column.values.slice(0, 30)) list.append(optionOf(`${column.key} = ${value}`));
    else list.append(optionOf(`${column.key} ${column.kind === "number" ? "> 0" : "= "}`));
  }
  const told = made("p", "", "hint");
  told.id = "condition-told";
  told.setAttribute("role", "status");
  input.addEventListener("input", () => {
    picture.condition = input.value.trim();
    const passes = picture.condition === "" ? null : conditionOf(picture.film.configuration, picture.condition);
    const count = passes === null ? 0 : Array.from({ length: head.nodes }, (_, node) => node).filter(passes).length;
    if (picture.condition === "") told.textContent = "";
    else told.textContent = passes === null ? "a column, =, !=, <, > or has, and a value" : `${grouped(count)} of ${grouped(head.nodes)} at this moment`;
    changed();
  });
  const only = made("label", "only ", "choice");
  only.append(input);
  box.append(written, only, list, told);
  box.hidden = head.nodes === 0;
}

function optionOf(value) {
  const option = made("option");
  option.value = value;
  return option;
}

/** Fills the panel with the facts of the run. @param {object} head @param {HTMLElement} box */
export function showFacts(head, box) {
  box.append(made("h2", "Run"));
  for (const note of head.notes) box.append(made("p", note, "note"));
  const facts = [...head.facts];
  if (head.nodes > 0) facts.unshift([head.kind === "population" ? "nodes" : head.kind === "cells" ? "particles" : "amoebots", grouped(head.nodes)]);
  box.append(table("facts", facts));
}
