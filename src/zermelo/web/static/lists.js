// The moves that can be made, in groups, and those that were made.

import { make } from "./page.js";
import { swatch } from "./board/players.js";
import { badge, groupName } from "./board/values.js";

const byName = new Intl.Collator("en", { numeric: true });

// The moves as buttons: by what they lead to, best first; or where that is hidden, by their names.
// `act` has play(move) and point(move or null).
export function moveList({ moves, more, over }, worth, act) {
  if (over) return [make("p", {}, "The game is over.")];
  const rest = more ? [make("p", {}, `and ${more.toLocaleString()} more`)] : [];
  if (!worth) {
    return [...moveButtons(moves, null, act), ...rest];
  }
  const groups = new Map();
  for (const move of moves) {
    const { outcome } = worth(move);
    if (!groups.has(outcome)) groups.set(outcome, []);
    groups.get(outcome).push(move);
  }
  const shown = [...groups].map(([outcome, its]) =>
    make(
      "section",
      { class: `group ${outcome}` },
      make("h3", {}, groupName(outcome), " ", make("span", { class: "count" }, its.length.toLocaleString())),
      make("ul", {}, its.map((move) => item(move, worth(move), act))),
    ),
  );
  return [...shown, ...rest];
}

// Moves as buttons in one list: as they come, or where it is hidden what they lead to, by their names.
export function moveButtons(moves, worth, act) {
  const sorted = worth ? moves : [...moves].sort((a, b) => byName.compare(a.name, b.name));
  return moves.length ? [make("ul", {}, sorted.map((move) => item(move, worth && worth(move), act)))] : [];
}

function item(move, worth, act) {
  const parts = [make("span", { class: "name" }, move.name)];
  if (worth) parts.push(badge(worth), make("span", { class: "text" }, worth.text));
  const button = make(
    "button",
    {
      type: "button",
      "data-key": move.key,
      onclick: () => act.play(move),
      onpointerenter: () => act.point(move),
      onpointerleave: () => act.point(null),
      onfocus: () => act.point(move),
      onblur: () => act.point(null),
    },
    parts,
  );
  return make("li", {}, button);
}

// Mark in the list what is pointed at on the board.
export function pointOut(list, moves) {
  const keys = new Set(moves.map((move) => move.key));
  for (const button of list.querySelectorAll("[data-key]")) {
    button.classList.toggle("pointed", keys.has(button.dataset.key));
  }
}

const MOST_BEST = 4;

const shortened = (names) => names.slice(0, MOST_BEST).join(", ") + (names.length > MOST_BEST ? ", …" : "");

// The match so far, and what was taken back of it; the ply that is shown is marked.
export function historyList(whole, now, go) {
  return whole.plies.map((made) => {
    const wrong = made.lost === null ? "" : made.lost === "outcome" ? "??" : "?";
    const who = whole.players[made.player];
    const button = make(
      "button",
      {
        type: "button",
        "aria-current": made.ply === now ? "step" : null,
        "aria-label": `${made.ply}. ${who}: ${made.name}${wrong ? ", a mistake" : ""}`,
        onclick: () => go(made.ply),
      },
      make("span", { class: "ply" }, made.ply),
      swatch(made.player),
      made.name,
      make("span", { class: "worth wrong" }, wrong),
    );
    const said = wrong ? `${wrong} ${made.mistake}; best was ${shortened(made.best)}` : "";
    const note = said ? [make("span", { class: "worth mistake" }, said)] : [];
    return make("li", { class: [made.ply > now ? "later" : "", wrong ? "wide" : ""].join(" ").trim() || null }, button, note);
  });
}
