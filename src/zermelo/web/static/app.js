// The explorer. What is on the page follows from the address: where the match began, and its moves.

import { ask, ready } from "./api.js";
import { showBoard } from "./board.js";
import { courseOf, statisticsOf } from "./charts.js";
import { badge, byId, make } from "./page.js";

const LONGEST = 6000; // characters of an address; of a longer match the beginning is forgotten

let game; // what is explored
let match; // as the server told it last
let undone = []; // keys of moves taken back, the next one last
let spelt = ""; // what was clicked of a move that takes several clicks
let asked = 0; // so that a late answer does not show

// -- where we are ---------------------------------------------------------------------------------

function addressed() {
  const words = new URLSearchParams(location.search);
  return { from: words.get("from"), mover: words.get("mover"), move: words.getAll("move") };
}

function addressOf({ from, mover, move }) {
  const words = new URLSearchParams();
  if (from) words.append("from", from);
  if (from && Number(mover)) words.append("mover", mover);
  for (const each of move) words.append("move", each);
  return words.size ? `/?${words}` : "/";
}

const keys = () => match.plies.map((ply) => ply.key);

// The same beginning, with these moves.
const after = (move) => ({ from: match.from, mover: match.mover, move });

// A position to begin in, whoever is to move there.
const beginning = (from, mover) => ({ from, mover: game.alternate ? mover : null, move: [] });

async function go(place, { remember = true } = {}) {
  const ticket = ++asked;
  if (match?.plies.length && addressOf(place).length > LONGEST) {
    const spare = Math.min(match.plies.length - 1, Math.ceil(place.move.length / 2));
    const { position, player } = match.plies[spare];
    place = { ...beginning(position, player), move: place.move.slice(spare) };
  }
  let found;
  try {
    found = await ask("match", place);
  } catch (error) {
    problem(error.message);
    if (match) return;
    undone = [];
    found = await ask("match");
    place = { from: null, mover: null, move: [] };
  }
  if (ticket !== asked) return;
  match = { ...found, from: place.from };
  spelt = "";
  if (remember) {
    history.pushState(null, "", addressOf(place));
    problem("");
  }
  show();
}

async function play(key) {
  if (undone.at(-1) === key) undone.pop();
  else undone = [];
  await go(after([...keys(), key]));
  await answer();
}

// -- the opponent -----------------------------------------------------------------------------------

const opponent = () => (byId("opponent").value === "" ? null : Number(byId("side").value));

async function answer() {
  while (!match.over && match.player === opponent()) {
    const ticket = asked;
    const seed = Math.floor(Math.random() * 2 ** 32);
    const path = `position/${match.position.position}/answer`;
    const move = await ask(path, { skill: byId("opponent").value, seed });
    if (ticket !== asked || move === null) return;
    undone = [];
    await go(after([...keys(), move.key]));
    announce(`${match.players[match.plies.at(-1).player]} played ${move.name}. `);
  }
}

async function undo() {
  let count = match.plies.length - 1;
  // Against an opponent, go back to a turn of one's own.
  while (count > 0 && match.plies[count].player === opponent()) count -= 1;
  await back(count);
}

async function back(count) {
  undone.push(...keys().slice(count).reverse());
  await go(after(keys().slice(0, count)));
}

// -- showing it -----------------------------------------------------------------------------------

function problem(sentence) {
  byId("problem").textContent = sentence;
  byId("problem").hidden = !sentence;
}

function announce(before = "") {
  const { players, player, over, prospects } = match;
  const blind = document.body.classList.contains("blind");
  if (over) byId("state").textContent = `${before}The game is over: ${prospects}.`;
  else byId("state").textContent = `${before}${players[player]} to move${blind ? "." : `; ${prospects}.`}`;
}

// How wide a plot is, so that its letters are as large on a phone.
const width = () => Math.min(640, byId("history-section").clientWidth - 32);

function show() {
  const focus = document.activeElement;
  const held = byId("board").contains(focus) ? "board" : byId("moves").contains(focus) ? "moves" : null;
  const { position } = match;
  announce();
  board();
  byId("moves").replaceChildren(
    ...position.moves
      .filter((move) => move.name.startsWith(spelt))
      .map((move) => {
        const parts = [make("span", { class: "name" }, move.name), badge(move.value)];
        const text = make("span", { class: "worth text" }, move.value.text);
        const button = make("button", { type: "button", onclick: () => play(move.key) }, parts, text);
        return make("li", {}, button);
      }),
  );
  if (position.more) byId("moves").append(make("li", {}, `and ${position.more} more`));
  if (position.over) byId("moves").append(make("li", {}, "none: the game is over"));
  if (document.body.classList.contains("blind")) shuffle(byId("moves"));
  byId("undo").disabled = match.plies.length === 0;
  byId("redo").disabled = undone.length === 0;
  byId("best").disabled = position.over;
  byId("restart").disabled = match.plies.length === 0 && match.start === game.start;
  byId("json").href = `/api/position/${position.position}`;
  byId("text").value = position.text;
  byId("entry-problem").textContent = "";
  byId("shared").textContent = "";
  byId("mover").value = match.player;
  document.title = document.body.classList.contains("blind") ? game.game : `${game.game}: ${position.value.text}`;
  byId("chart").replaceChildren(match.course.length > 1 ? courseOf(match, width()) : "");
  byId("history").replaceChildren(...match.plies.map(ply));
  line(position.position);
  for (const id of ["tree-details", "why-details"]) if (byId(id).open) open(id);
  if (held) (byId(held).querySelector("[tabindex], button") ?? byId("undo")).focus();
}

// In the order of their names, moves betray nothing.
function shuffle(list) {
  list.append(...[...list.children].sort((a, b) => a.textContent.localeCompare(b.textContent)));
}

function board() {
  byId("spelling").textContent = spelt ? `${spelt}… (Escape to begin again)` : "";
  showBoard(byId("board"), match.position, spelt, (move) => play(move.key), spell);
}

function spell(text) {
  spelt = text;
  show();
  if (!byId("board").querySelector("[tabindex]")) byId("moves").querySelector("button").focus();
}

function ply(made) {
  const wrong = made.lost === null ? null : made.lost === "outcome" ? "??" : "?";
  const said = `threw away ${made.thrown_away}; best was ${made.best.slice(0, 4).join(", ")}`;
  const button = make("button", { type: "button", onclick: () => back(made.ply) }, made.name);
  const who = make("span", { class: "who" }, match.players[made.player]);
  const note = make("span", { class: `worth ${wrong ? "mistake" : ""}` }, wrong ? ` ${wrong} ${said}` : "");
  return make("li", { value: made.ply }, who, " ", button, note);
}

async function line(code) {
  const found = await ask(`position/${code}/line`);
  if (match.position.position !== code) return;
  const moves = found.keys.map((_, i) => {
    const there = [...keys(), ...found.keys.slice(0, i + 1)];
    const onclick = () => ((undone = []), go(after(there)));
    return make("button", { type: "button", onclick }, found.moves[i]);
  });
  const ends = { terminal: "", repeats: " and so round again", cut: " and so on" }[found.ends];
  byId("line").replaceChildren(...(moves.length ? moves : ["The game is over."]), ends);
}

// What is behind a heading is asked for when it is opened.
async function open(id) {
  const code = match.position.position;
  if (id === "tree-details") {
    const tree = await ask(`position/${code}/tree`);
    if (match.position.position === code) byId("tree").replaceChildren(...branches(tree));
  } else if (id === "why-details") {
    const why = await ask(`position/${code}/explanation`);
    const lines = why.sentences.map((text) => make("p", { class: text.startsWith("  ") ? "inner" : null }, text));
    if (match.position.position === code) byId("why").replaceChildren(...lines);
  } else if (!byId("statistics").firstChild) {
    byId("statistics").replaceChildren(...statisticsOf(await ask("statistics"), game.words, width()));
  }
}

function branches(tree) {
  if (!tree.moves.length) return ["The game is over."];
  const rows = tree.moves.map((move) => {
    const replies = move.replies.map((reply) => {
      const there = () => ((undone = []), go(after([...keys(), move.key, reply.key])));
      const label = `${move.name}, then ${reply.name}: ${reply.value.text} for who replies`;
      return make("button", { type: "button", onclick: there, "aria-label": label }, reply.name, badge(reply.value));
    });
    const more = move.more ? ` and ${move.more} more` : "";
    const first = make("th", { scope: "row" }, make("span", { class: "pair" }, move.name, badge(move.value)));
    return make("tr", {}, first, make("td", {}, replies.length ? replies : "the game is over", more));
  });
  const head = make("tr", {}, ["move", "replies, best first for who replies"].map((name) => make("th", { scope: "col" }, name)));
  return [make("table", {}, head, rows), tree.more ? `and ${tree.more} more moves` : ""];
}

// -- the controls ---------------------------------------------------------------------------------

function listen() {
  byId("undo").onclick = undo;
  byId("redo").onclick = () => play(undone.at(-1));
  byId("best").onclick = () => play(match.position.moves[0].key);
  byId("restart").onclick = () => ((undone = []), go(beginning(null, null)).then(answer));
  byId("opponent").onchange = answer;
  byId("side").onchange = answer;
  byId("reveal").onchange = () => {
    document.body.classList.toggle("blind", !byId("reveal").checked);
    show();
  };
  for (const details of document.querySelectorAll("#more details[id]")) {
    details.ontoggle = () => details.open && open(details.id).catch((error) => problem(error.message));
  }
  byId("entry").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const found = await ask("read", { text: byId("text").value });
      undone = [];
      await go(beginning(found.position, byId("mover").value));
      byId("board").focus();
    } catch (error) {
      byId("entry-problem").textContent = error.message;
    }
  };
  byId("share").onclick = async () => {
    const address = new URL(addressOf(beginning(match.position.position, match.player)), location).href;
    try {
      await navigator.clipboard.writeText(address);
      byId("shared").textContent = `Copied ${address}`;
    } catch {
      byId("shared").textContent = address;
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && spelt) spell("");
  });
  window.addEventListener("popstate", () => go(addressed(), { remember: false }));
  window.addEventListener("unhandledrejection", (event) => {
    problem(event.reason.message);
    event.preventDefault();
  });
}

async function begin() {
  await ready(({ game: name, phase, done, total }) => {
    byId("game").textContent = name;
    const far = total ? `${done.toLocaleString()} of ${total.toLocaleString()}` : done.toLocaleString();
    byId("phase").textContent = phase ? (done ? `${phase}: ${far}` : phase) : "compiling the rules";
    if (total) Object.assign(byId("progress"), { max: total, value: done });
    else byId("progress").removeAttribute("value");
  });
  game = await ask("game");
  const given = Object.entries(game.parameters).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  byId("game").textContent = game.game;
  const brief = given.join(", ");
  byId("about").textContent = `${game.about} ${brief.length > 120 ? `${brief.slice(0, 120)}…` : brief}`;
  for (const id of ["side", "mover"]) {
    byId(id).replaceChildren(...game.players.map((name, i) => make("option", { value: i }, name)));
  }
  byId("mover-field").hidden = !game.alternate;
  byId("side").value = "1";
  const kinds = [["win", "a win"], ["draw", "a draw"], ["loss", "a loss"]];
  byId("legend").replaceChildren(
    ...kinds.flatMap(([outcome, text]) => [badge({ outcome, score: null, remoteness: 3 }), ` ${text} `]),
    game.by,
  );
  listen();
  byId("waiting").hidden = true;
  byId("explorer").hidden = false;
  await go(addressed(), { remember: false });
}

begin().catch((error) => {
  byId("waiting").hidden = true;
  problem(error.message);
});
