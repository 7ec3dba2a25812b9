// The moves that can be made, in groups, and those that were made; and the results of chance.

import { draw, make } from "./page.js";
import { swatch } from "./board/players.js";
import { badge, groupName } from "./board/values.js";

const byName = new Intl.Collator("en", { numeric: true });

// The moves as buttons: by what they lead to, best first; or where that is hidden, by their names.
// `act` has play(move) and point(move or null).
export function moveList({ moves, more, over }, worth, act) {
  const chance = Boolean(moves[0]?.value.bounds);
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
      make("h3", {}, groupName(outcome, chance), " ", make("span", { class: "count" }, its.length.toLocaleString())),
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

// What a move leads to in words; in a partizan game its value, if the badge is too short for it, and
// its role in the canonical form.
function words({ note, value }, worth) {
  const text = (part) => make("span", { class: "text", title: part }, part);
  if (!value.game) return [text(worth.text)];
  const parts = worth.sign.length < value.text.length ? [value.text, note] : [note];
  return parts.filter(Boolean).map(text);
}

function item(move, worth, act) {
  const parts = [make("span", { class: "name" }, move.name)];
  if (worth) parts.push(badge(worth), ...words(move, worth));
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

// The most results of chance that are shown as tiles; more are only listed.
const MOST_TILES = 40;

// The name of a move, or of a result of chance without its odds.
const labelOf = ({ name, odds }) => (odds ? name.replace(` (${odds.weight}/${odds.total})`, "") : name);

// The results of chance as tiles, each as high as it is probable.
export function chanceTiles({ moves, more }, act) {
  if (more || moves.length > MOST_TILES) return [];
  const most = Math.max(...moves.map((move) => move.odds.weight));
  const tile = (move) => {
    const [label, odds] = [labelOf(move), `${move.odds.weight}/${move.odds.total}`];
    const bar = make("span", { class: "share", "aria-hidden": "true" });
    bar.style.height = `${(1.5 * move.odds.weight) / most}rem`;
    const attributes = { type: "button", class: "tile", "data-key": move.key, "aria-label": `${label}, with odds ${odds}` };
    const pointed = { onpointerenter: () => act.point(move), onpointerleave: () => act.point(null) };
    const parts = [make("span", { class: "face" }, label), make("span", { class: "odds" }, odds)];
    return make("button", { ...attributes, ...pointed, onclick: () => act.play(move) }, bar, parts);
  };
  return moves.map(tile);
}

// Show which result came up, for long enough to be seen.
export async function showRoll(tiles, face) {
  for (const tile of tiles.querySelectorAll(".tile")) tile.classList.toggle("rolled", tile.dataset.key === face.key);
  await new Promise((resolve) => setTimeout(resolve, ROLL_MILLISECONDS));
}

const ROLL_MILLISECONDS = 600;

// What happened before the position that is shown, in a match with results of chance: the roll of
// the player to move, or the last turn of the other one.
export function lately({ plies, players, player }) {
  const last = plies.at(-1);
  if (!last) return "";
  const begin = last.player === player ? plies.length - 1 : plies.findLastIndex((ply) => ply.player !== last.player) + 1;
  const turn = plies.slice(begin);
  if (!turn.some((ply) => ply.odds)) return "";
  const words = turn.slice(-MOST_LATELY).map((ply) => `${ply.odds ? "rolled" : "played"} ${ply.name}`);
  return `${players[last.player]} ${turn.length > MOST_LATELY ? "…, " : ""}${words.join(", ")}. `;
}

const MOST_LATELY = 6;

// A die, beside results of chance in the match.
const die = () =>
  draw(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, class: "die", "aria-hidden": "true" },
    draw("rect", { x: 1.5, y: 1.5, width: 13, height: 13, rx: 3 }),
    [[5, 5], [8, 8], [11, 11]].map(([cx, cy]) => draw("circle", { cx, cy, r: 1.4 })),
  );

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
        "aria-label": `${made.ply}. ${who}: ${made.odds ? "rolled " : ""}${made.name}${wrong ? ", a mistake" : ""}`,
        onclick: () => go(made.ply),
      },
      make("span", { class: "ply" }, made.ply),
      swatch(made.player),
      made.odds ? die() : null,
      labelOf(made),
      make("span", { class: "worth wrong" }, wrong),
    );
    const said = wrong ? `${wrong} ${made.mistake}; best was ${shortened(made.best)}` : "";
    const note = said ? [make("span", { class: "worth mistake" }, said)] : [];
    return make("li", { class: [made.ply > now ? "later" : "", wrong ? "wide" : ""].join(" ").trim() || null }, button, note);
  });
}
