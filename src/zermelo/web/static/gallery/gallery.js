// All games as cards. Which game's form is shown follows from the address: ?game=connect-four.

import { byId, make } from "../page.js";
import { picture } from "../board/picture.js";
import { ask } from "./asking.js";
import { showForm } from "./form.js";

let cards = [];

// -- the cards --------------------------------------------------------------------------------------

// A picture is asked for when its card comes near the screen.
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      ask(`games/${target.dataset.game}/picture`).then(
        ({ svg }) => target.replaceChildren(thumbnail(svg)),
        () => target.replaceChildren(),
      );
    }
  },
  { rootMargin: "400px" },
);

export function thumbnail(text) {
  const svg = picture(text);
  svg.setAttribute("aria-hidden", "true");
  svg.querySelector("title")?.remove();
  for (const spot of svg.querySelectorAll("[data-move]")) spot.removeAttribute("data-move");
  return svg;
}

function cardOf({ name, title, about, others }) {
  const frame = make("span", { class: "thumbnail", "data-game": name });
  watcher.observe(frame);
  const text = make("span", { class: "about" }, about);
  const link = make("a", { href: `?game=${name}`, class: "card" }, frame, make("strong", {}, title), text);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    goTo(`?game=${name}`);
  });
  return make("li", { "data-words": `${name} ${title} ${about} ${others.join(" ")}`.toLowerCase() }, link);
}

function showCards() {
  const kinds = new Map();
  for (const card of cards) kinds.set(card.kind, [...(kinds.get(card.kind) ?? []), card]);
  byId("kinds").replaceChildren(
    ...[...kinds].map(([kind, members]) =>
      make(
        "section",
        { "data-kind": kind.toLowerCase() },
        make("h2", {}, kind),
        make("ul", { class: "cards" }, members.map(cardOf)),
      ),
    ),
  );
}

function search() {
  const words = byId("search").value.toLowerCase().split(/[\s#]+/).filter(Boolean);
  let count = 0;
  for (const section of byId("kinds").children) {
    let some = false;
    for (const item of section.querySelectorAll("li")) {
      const text = `${item.dataset.words} ${section.dataset.kind}`;
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) [some, count] = [true, count + 1];
    }
    section.hidden = !some;
  }
  const games = count === 1 ? "1 game" : `${count} games`;
  byId("found").textContent = count ? games : "No game has all of these words.";
}

// -- where we are -----------------------------------------------------------------------------------

function goTo(address) {
  history.pushState(null, "", address);
  show();
}

async function show() {
  const words = new URLSearchParams(location.search);
  const game = words.get("game");
  byId("problem").hidden = true;
  if (game) {
    words.delete("game");
    try {
      await showForm(game, Object.fromEntries(words));
      byId("gallery").hidden = true;
      byId("game-page").hidden = false;
      window.scrollTo(0, 0);
      return;
    } catch (error) {
      problem(error.message);
    }
  }
  byId("game-page").hidden = true;
  byId("gallery").hidden = false;
  document.title = "Zermelo: all games";
}

function problem(sentence) {
  byId("problem").textContent = sentence;
  byId("problem").hidden = false;
}

async function begin() {
  // A form that is asked for need not wait for the cards.
  byId("gallery").hidden = new URLSearchParams(location.search).has("game");
  window.addEventListener("popstate", show);
  const shown = show();
  cards = await ask("games");
  showCards();
  search();
  byId("search").addEventListener("input", search);
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const found = [...document.querySelectorAll("#kinds li:not([hidden]) a")];
    if (found.length === 1) found[0].click();
    else found[0]?.focus();
  });
  byId("to-gallery").addEventListener("click", (event) => {
    event.preventDefault();
    goTo(location.pathname);
  });
  await shown;
}

begin().catch((error) => problem(error.message));
