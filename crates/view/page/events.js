import { made } from "./inspector.js";
import { grouped } from "./words.js";

/** The number of listed events. */
const LISTED_MOST = 100;

/** Finds events by a part of their text and lists them; a click goes there. */
export class Events {
  /** @param {import("./film.js").Film} film @param {HTMLElement} box @param {(frame: number) => void} go */
  constructor(film, box, go) {
    this.film = film;
    this.go = go;
    /** Counts the searches: an earlier one ends at the next chunk. */
    this.asked = 0;
    const label = made("label", "events with ");
    const input = made("input");
    input.id = "find";
    input.type = "search";
    input.size = 14;
    input.autocomplete = "off";
    input.addEventListener("change", () => this.find(input.value.trim().toLowerCase()));
    label.append(input);
    this.told = made("p", "", "hint");
    this.told.setAttribute("role", "status");
    this.list = made("ol", "", "history");
    this.list.id = "found";
    box.append(made("h2", "Events"), label, this.told, this.list);
  }

  /** @param {string} wanted in small letters; lists nothing if it is empty @returns {Promise<void>} reads every chunk until enough is found */
  async find(wanted) {
    const { film } = this;
    this.asked += 1;
    const { asked } = this;
    this.list.replaceChildren();
    this.told.textContent = "";
    if (wanted === "") return;
    let found = 0;
    try {
      for (let number = 0; number < film.head.chunks.length && found < LISTED_MOST; number += 1) {
        this.told.textContent = `searches … ${film.head.time} ${grouped(film.stepOf(film.head.chunks[number].first))}`;
        const chunk = await (film.kept.get(number) ?? film.read(number));
        if (asked !== this.asked) return;
        for (let at = 0; at < chunk.frames && found < LISTED_MOST; at += 1) {
          const { frame, step, actor, label, text } = film.actionIn(chunk, at);
          const said = text || label;
          if (!`${said} of ${actor}`.toLowerCase().includes(wanted)) continue;
          found += 1;
          const item = made("li");
          const link = made("button", `${film.head.time} ${grouped(step)}`, "link");
          link.addEventListener("click", () => this.go(frame));
          item.append(link, ` ${said}${text || actor < 0 ? "" : ` of ${actor}`}`);
          this.list.append(item);
        }
      }
    } catch (error) {
      this.told.textContent = error.message;
      return;
    }
    this.told.textContent = found === 0 ? "none" : found === LISTED_MOST ? `the first ${found}` : String(found);
  }
}
