import { filmOfPage } from "./film.js";
import { Page, part, showDamage } from "./page.js";
import { Playground } from "./playground.js";

/** The page with the film that is shown. @type {Page | null} */
let shownPage = null;

/** Shows a film in the page, in place of the one before. @param {import("./film.js").Film} film @returns {Promise<void>} */
function showFilm(film) {
  shownPage?.close();
  document.body.classList.remove("without-film", "damaged");
  part("damage").hidden = true;
  shownPage = new Page(film);
  // For tests and for the console.
  globalThis.acrasin = { film, player: shownPage.player, picture: shownPage.picture, page: shownPage };
  return shownPage.start();
}

try {
  const hasPlayground = part("simulator") !== null;
  part("title").textContent = document.title;
  if (hasPlayground) new Playground(document, showFilm);
  if (hasPlayground && part("film-head") === null) document.body.classList.add("without-film");
  else showFilm(filmOfPage(document));
} catch (error) {
  showDamage(error);
}
