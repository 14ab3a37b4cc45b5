import { filmOfPage } from "./film.js";
import { Page, part, showDamage } from "./page.js";
import { Playground } from "./playground.js";

/** The page with the displayed film. @type {Page | null} */
let shownPage = null;

/**
 * Replaces the film in the page: shows it from its start, from the present position if it continues the same run, or at its end.
 *
 * @param {import("./film.js").Film} film @param {"start" | "on" | "end"} from @returns {Promise<void>}
 */
function showFilm(film, from = "start") {
  const place = from === "on" && shownPage !== null ? shownPage.place : { isAtEnd: true };
  shownPage?.close();
  document.body.classList.remove("without-film", "damaged");
  part("playground").removeAttribute("role");
  part("damage").hidden = true;
  shownPage = new Page(film);
  // For tests and for the console.
  globalThis.acrasin = { film, player: shownPage.player, picture: shownPage.picture, page: shownPage };
  return from === "start" ? shownPage.start() : shownPage.followOn(place);
}

/** The displayed film has grown. @param {string} headText @returns {Promise<void>} */
function growFilm(headText) {
  return shownPage.grow(headText);
}

/** While a run has no film yet, the displayed one is marked as that of an earlier run. @param {boolean} isWaiting */
function waitForFilm(isWaiting) {
  document.body.classList.toggle("of-earlier-run", isWaiting && shownPage !== null);
}

try {
  const hasPlayground = part("simulator") !== null;
  part("title").textContent = document.title;
  if (hasPlayground) new Playground(document, { show: showFilm, grow: growFilm, wait: waitForFilm });
  if (hasPlayground && part("film-head") === null) {
    document.body.classList.add("without-film");
    part("playground").setAttribute("role", "main");
  } else showFilm(filmOfPage(document));
} catch (error) {
  showDamage(error);
}
