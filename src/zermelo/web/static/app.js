// The explorer. What is on the page follows from the address: where the match began, and its moves.

import { addressOf, addressed, tooLong } from "./address.js";
import { ready, source } from "./api.js";
import { Board } from "./board/board.js";
import { advantageOf, courseOf } from "./chart.js";
import { chanceTiles, historyList, lately, moveButtons, moveList, pointOut, showRoll } from "./moves.js";
import { Details } from "./details.js";
import { byId, capital, make, remember, remembered } from "./page.js";
import { picture } from "./board/picture.js";
import { chip, colourPlayers } from "./board/players.js";
import { Puzzle } from "./puzzle.js";
import { badge, worthOf } from "./board/values.js";

let game; // what is explored
let board;
let details;
let puzzle;
let match; // up to the ply that is shown
let whole; // the same with what was taken back of it
let spelt = ""; // what was clicked of a move that takes several clicks
let chosen = []; // the spots that were clicked for it
let flipped = false;
let hidden = false; // whether a puzzle hides what moves lead to
let shown; // the part of the address that is shown
let asked = 0; // so that a late answer does not show

// -- where we are ---------------------------------------------------------------------------------

const keys = (of = match) => of.plies.map((ply) => ply.key);

// The same beginning, with these moves.
const after = (move) => ({ from: match.from, mover: match.given, move });

// A position to begin in, whoever is to move there.
const beginning = (from, mover) => ({ from, mover: game.alternate ? mover : null, move: [] });

async function go(place, { push = true } = {}) {
  const ticket = ++asked;
  if (match?.plies.length && tooLong(place)) {
    const spare = Math.min(match.plies.length - 1, Math.ceil(place.move.length / 2));
    const { position, player } = match.plies[spare];
    place = { ...beginning(position, player), move: place.move.slice(spare) };
  }
  let found;
  try {
    found = await source.match(place);
  } catch (error) {
    problem(error.message);
    if (match) return false;
    place = { from: null, mover: null, move: [] };
    found = await source.match(place);
  }
  if (ticket !== asked) return false;
  match = { ...found, from: place.from, given: place.mover };
  const goesOn =
    whole && whole.start === match.start && whole.mover === match.mover && keys().every((key, i) => key === whole.plies[i]?.key);
  if (!goesOn) whole = match;
  [spelt, chosen] = ["", []];
  if (push) {
    history.pushState(null, "", addressOf(place));
    problem("");
  }
  shown = location.search;
  show();
  return true;
}

async function play(move) {
  if (!puzzle.allows(move, match.position.moves)) return cancel();
  await go(after([...keys(), move.key]));
  await answer();
}

const jump = (further) => go(after([...keys(), ...further]));

// Go to a ply of the match, those taken back included.
const goTo = (ply) => {
  const to = Math.max(0, Math.min(ply, whole.plies.length));
  if (to !== match.plies.length && !puzzle.running) go(after(keys(whole).slice(0, to)));
};

function start(place) {
  whole = null;
  return go(place);
}

// -- the opponent -----------------------------------------------------------------------------------

const opponent = () => (byId("opponent").value === "" ? null : Number(byId("side").value));

async function answer() {
  while (!puzzle.running && !hidden && !match.over && match.player === opponent()) {
    const ticket = asked;
    const { position, chance } = match.position;
    const move = chance ? await source.roll(position) : await source.answer(position, byId("opponent").value);
    if (ticket !== asked || move === null) return;
    if (chance) await showRoll(byId("tiles"), move);
    if (ticket !== asked) return;
    if (!(await go(after([...keys(), move.key])))) return;
    if (!game.chance) announce(`${match.players[match.plies.at(-1).player]} played ${move.name}. `);
  }
}

async function roll() {
  const ticket = asked;
  byId("roll").disabled = true;
  const face = await source.roll(match.position.position);
  if (ticket !== asked || face === null) return;
  await showRoll(byId("tiles"), face);
  if (ticket === asked) await play(face);
}

function undo() {
  let count = match.plies.length - 1;
  // Against an opponent, go back to a turn of one's own.
  while (count > 0 && match.plies[count].player === opponent()) count -= 1;
  goTo(count);
}

// -- showing it -----------------------------------------------------------------------------------

function problem(sentence) {
  byId("problem").textContent = sentence ? `${capital(sentence)}.`.replace(/([.?!])\.$/, "$1") : "";
  byId("problem").hidden = !sentence;
}

const blind = () => hidden || !byId("reveal").checked;

// How many points the player to move is ahead.
const edge = () => (match.points ? match.points[match.player] - match.points[1 - match.player] : 0);

const worth = (move) => worthOf(move.value, edge(), match.position.moves);

function announce(before = lately(match)) {
  const { players, player, over, prospects, points } = match;
  const made = points ? ` Points so far: ${players[0]} ${points[0]}, ${players[1]} ${points[1]}.` : "";
  if (over) byId("state").textContent = `${before}The game is over: ${prospects}.${made}`;
  else byId("state").textContent = `${before}${players[player]} to ${match.position.chance ? "roll" : "move"}${blind() ? "." : `; ${prospects}.`}${made}`;
}

// How wide a plot is, so that its letters are as large on a phone.
const width = (id) => Math.max(240, Math.min(720, byId(id).clientWidth - 34));

function show() {
  const focus = document.activeElement;
  const within = ["board", "moves", "chance"].find((id) => byId(id).contains(focus));
  const held = within === "board" && !focus.closest(".frame") ? null : within;
  const spot = focus?.dataset?.move;
  const { position, plies } = match;
  document.body.classList.toggle("blind", blind());
  announce();
  showBoard();
  byId("bar").replaceChildren(...advantageOf(match.course.at(-1), match.players));
  const { chance } = position;
  byId("moves-title").textContent = chance ? "Chance decides" : blind() ? "Moves" : "Moves, best first";
  byId("chance").hidden = !chance;
  byId("roll").disabled = false;
  listMoves();
  byId("undo").disabled = byId("first").disabled = plies.length === 0;
  byId("redo").disabled = byId("last").disabled = plies.length === whole.plies.length;
  byId("best").disabled = position.over || chance || puzzle.running;
  byId("settling").hidden = position.over || position.value.outcome !== null;
  byId("restart").disabled = whole.plies.length === 0 && match.start === game.start;
  byId("flip").setAttribute("aria-pressed", flipped);
  const json = source.jsonOf(position.position);
  byId("json").hidden = json === null;
  byId("json").href = json ?? "";
  byId("text").value = position.text;
  byId("entry-problem").textContent = "";
  byId("shared").textContent = "";
  document.title = blind() ? game.title : `${game.title}: ${worthOf(position.value, edge()).text}`;
  showMatch();
  showValue();
  ask();
  line(position.position);
  details.refresh();
  if (held === "board" && !board.focus(spot)) (chance ? byId("roll") : byId("undo")).focus();
  else if (held === "chance") (chance ? byId("roll") : byId("moves").querySelector("button") ?? byId("undo")).focus();
  else if (held === "moves") (byId("moves").querySelector("button") ?? byId("undo")).focus();
}

function showBoard() {
  const { position, plies } = match;
  const last = plies.length && !plies.at(-1).odds ? { code: plies.at(-1).position, name: plies.at(-1).name } : null;
  const view = { position, spelt, chosen, flipped, last, worth: blind() ? null : worth };
  board.show(view);
  byId("flip").hidden = !board.spots.length;
  if (last && !board.shapes.has(last.code)) {
    source.position(last.code).then((before) => {
      board.learn(last.code, before.svg);
      if (match.position === position) board.show(view);
    });
  }
  choices();
}

// A player's name as a sentence has it.
const called = (name) => game.called[game.players.indexOf(name)] ?? name;

const listMoves = () => {
  const { chance } = match.position;
  const moves = match.position.moves.filter((move) => move.name.startsWith(spelt));
  const act = { play, point: (move) => board.point(move) };
  byId("moves").classList.toggle("games", Boolean(game.value.game) && !blind());
  byId("moves").classList.toggle("long", (game.chance && !chance) || moves.some((move) => move.name.length > 9));
  byId("moves").replaceChildren(...moveList({ ...match.position, moves }, blind() ? null : worth, act));
  byId("tiles").replaceChildren(...(chance ? chanceTiles(match.position, act) : []));
  const elsewhere = spelt || chance ? [] : board.elsewhere(match.position.moves);
  byId("elsewhere").replaceChildren(...moveButtons(elsewhere, blind() ? null : worth, act));
};

function showMatch() {
  const now = match.plies.length;
  const chart = whole.course.length > 1 ? courseOf(whole.course, now, match.players.map(called), width("history-section"), goTo) : [];
  byId("chart").replaceChildren(...chart);
  byId("history").replaceChildren(...historyList(whole, now, goTo));
  if (!whole.plies.length) byId("chart").replaceChildren(make("p", {}, "No move has been made."));
  const current = byId("history").querySelector("[aria-current]");
  if (current) byId("history").scrollTop = current.offsetTop - byId("history").offsetTop - 60;
}

// The value of a position of a partizan game, with its thermograph.
function showValue() {
  const { value, partizan } = match.position;
  byId("value").hidden = !partizan;
  if (!partizan) return;
  const { left, right, temperature, mean } = partizan;
  const form = `{${left.join(",")}|${right.join(",")}}`;
  const equal = form === value.text ? form : `${value.text} = ${form}`;
  const who = called(match.players[match.player]);
  byId("form").textContent = `${equal}, with ${who} (to move) as Left`;
  byId("heat").textContent = `Temperature ${temperature}, mean ${mean}; stops ${partizan.left_stop} and ${partizan.right_stop}.`;
  const drawing = picture(partizan.thermograph);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `Thermograph: mean ${mean}, temperature ${temperature}`);
  byId("thermograph").replaceChildren(drawing);
}

// Whose turn it is cannot be seen in some positions.
function ask() {
  byId("asking").hidden = match.mover_known || match.plies.length > 0;
  const buttons = match.players.map((_, player) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": player === match.player,
        onclick: () => start({ ...after([]), mover: player }).then(answer),
      },
      chip(match.players, player),
    ),
  );
  byId("asking").replaceChildren(make("p", {}, "Who is to move here? The position does not say."), make("div", { class: "buttons" }, buttons));
}

async function line(code) {
  const found = await source.line(code);
  if (match.position.position !== code) return;
  const moves = found.keys.map((_, i) =>
    make("button", { type: "button", onclick: () => jump(found.keys.slice(0, i + 1)) }, found.moves[i]),
  );
  const ends = { terminal: "", repeats: " and so on in a cycle", cut: " and so on", unknown: " and then the proof says nothing" }[found.ends];
  byId("line").replaceChildren(...(moves.length ? moves : [found.ends === "unknown" ? "The proof says nothing of what comes next." : "The game is over."]), moves.length ? ends : "");
}

// -- moves of several clicks ------------------------------------------------------------------------

function spell(text, parts) {
  [spelt, chosen] = [text, parts];
  show();
  if (!byId("choices").firstChild && !document.activeElement?.closest?.("#board")) return;
  byId("choices").querySelector("button")?.focus();
}

const cancel = () => spell("", []);

// Where the last part of a name is on no spot, such as what a pawn becomes, it is chosen from a list.
function choices() {
  document.body.classList.toggle("choosing", Boolean(spelt));
  byId("spelling").textContent = spelt ? `${spelt}…` : "";
  const moves = spelt ? match.position.moves.filter((move) => move.name.startsWith(spelt)) : [];
  const onBoard = [...board.found.values()].some((meaning) => meaning.moves.length && !meaning.instead);
  const words = wordsOf(board.svg.dataset.words ?? "");
  byId("choices").replaceChildren(
    ...(onBoard ? [] : moves).map((move) => {
      const rest = move.name.slice(spelt.length);
      const parts = [words.get(rest) ?? move.name, blind() ? null : badge(worth(move))];
      return make("button", { type: "button", "aria-label": words.has(rest) ? `${move.name}, ${words.get(rest)}` : null, onclick: () => play(move) }, parts);
    }),
  );
}

// Words for the last parts of names, as a picture gives them: "q=queen r=rook".
const wordsOf = (text) => new Map(text.split(" ").filter(Boolean).map((pair) => pair.split("=")));

// -- the controls ---------------------------------------------------------------------------------

const CHOICES = ["opponent", "side"];

function keep() {
  const chosenNow = Object.fromEntries(CHOICES.map((id) => [id, byId(id).value]));
  remember(game.title, { ...chosenNow, reveal: byId("reveal").checked, flipped });
}

function recall() {
  const before = remembered(game.title);
  for (const id of CHOICES) {
    if ([...byId(id).options].some((option) => option.value === before[id])) byId(id).value = before[id];
  }
  byId("reveal").checked = before.reveal ?? true;
  flipped = before.flipped ?? false;
}

function flip() {
  flipped = !flipped;
  keep();
  show();
}

async function anywhere() {
  puzzle.leave();
  hidden = false;
  const { position, mover } = await source.random();
  await start(beginning(position, mover));
  await answer();
}

// Along a proof, search for what the position is worth.
async function settle() {
  const { position } = match.position;
  byId("settle").disabled = true;
  byId("settled").textContent = "Searching…";
  try {
    const found = await source.settled(position);
    byId("settled").textContent = found.value.outcome === null ? "Not found within that time." : "";
    if (match.position.position === position) await go(after(keys()), { push: false });
  } finally {
    byId("settle").disabled = false;
  }
}

function listen() {
  byId("undo").onclick = undo;
  byId("redo").onclick = () => goTo(match.plies.length + 1);
  byId("first").onclick = () => goTo(0);
  byId("last").onclick = () => goTo(whole.plies.length);
  byId("settle").onclick = settle;
  byId("roll").onclick = roll;
  byId("best").onclick = () => play(match.position.moves[0]);
  byId("restart").onclick = () => {
    puzzle.leave();
    hidden = false;
    start(beginning(null, null)).then(answer);
  };
  byId("cancel").onclick = cancel;
  byId("flip").onclick = flip;
  byId("random").onclick = anywhere;
  byId("puzzle").onclick = () => puzzle.next();
  byId("swap").onclick = () => {
    byId("side").value = 1 - Number(byId("side").value);
    keep();
    if (opponent() === null) flip();
    answer();
  };
  for (const id of CHOICES) byId(id).onchange = () => (keep(), answer());
  byId("reveal").onchange = () => (keep(), show());
  byId("entry").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const found = await source.read(byId("text").value);
      await start(beginning(found.position, found.mover));
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
  document.addEventListener("keydown", steer);
  window.addEventListener("popstate", () => {
    if (location.search !== shown) go(addressed(), { push: false });
  });
  window.addEventListener("unhandledrejection", (event) => {
    problem(event.reason.message);
    event.preventDefault();
  });
  let before = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === before) return;
    before = window.innerWidth;
    showMatch();
  });
}

// Keys that mean the same everywhere but in a field.
function steer(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const to = { ArrowLeft: match.plies.length - 1, ArrowRight: match.plies.length + 1, Home: 0, End: whole.plies.length }[event.key];
  if (event.key === "Escape" && spelt) cancel();
  else if (event.key === "f" && board.spots.length) flip();
  else if (event.key === "r" && match.position.chance && !byId("roll").disabled) roll();
  else if (to !== undefined) {
    event.preventDefault();
    goTo(to);
  }
}

const chanceLegend = () =>
  game.value.probability
    ? "The number: percent of a win, a draw counting half; in brackets, what the move gives away."
    : "The number: the margin in the end on average; in brackets, what the move gives away.";

const [EXPECTED, MARGINS] = [["58", "41"], ["+1.5", "−0.5"]];

// What the signs of moves look like: the outcome, an example, and what that is.
function samples() {
  if (game.chance) {
    const [best, worse] = game.value.probability ? EXPECTED : MARGINS;
    return [["win", best, "a best move"], ["loss", worse, "a worse move"]];
  }
  if (game.value.game) return [["win", "1", "a win"], ["loss", "{1|−1}", "a loss"]];
  return [["win", "+3", "a win"], ["draw", "=", "a draw"], ["loss", "−3", "a loss"]];
}

function legend() {
  if (game.chance) return chanceLegend();
  if (game.value.game) return "In the sign, what a move is worth to the player who makes it, as a game; + or − if that is long.";
  return game.value.score === null ? `The number: ${game.by}.` : "The number: margin in the end, for the player to move.";
}

async function begin() {
  await ready(({ title, phase, done, total }) => {
    byId("game").textContent = title;
    const far = total ? `${done.toLocaleString()} of ${total.toLocaleString()}` : done.toLocaleString();
    byId("phase").textContent = phase ? (done ? `${phase}: ${far}` : phase) : "compiling the rules";
    if (total) Object.assign(byId("progress"), { max: total, value: done });
    else byId("progress").removeAttribute("value");
  });
  game = await source.game();
  byId("game").textContent = game.title;
  byId("about").textContent = game.about;
  byId("side").replaceChildren(...game.players.map((name, i) => make("option", { value: i }, name)));
  byId("side").value = "1";
  byId("documentation").hidden = !source.documentation;
  colourPlayers(game.players);
  byId("legend").replaceChildren(
    ...samples().flatMap(([outcome, sign, text]) => [badge({ outcome, sign }), ` ${text} `]),
    make("br"),
    legend(),
  );
  if (game.chance) byId("line-title").textContent = "Best play, with the likeliest results of chance";
  board = new Board(byId("board"), { play, spell, cancel, hover: (moves) => pointOut(byId("moves"), moves) });
  details = new Details({ game, match: () => match, edge, jump, width: () => width("statistics-details") }, problem);
  puzzle = new Puzzle({
    players: () => match.players,
    moves: () => match.position.moves,
    begin: ({ position, mover }) => {
      hidden = true;
      return start(beginning(position, mover));
    },
    reveal: () => (hidden = false),
    show,
  });
  recall();
  listen();
  byId("waiting").hidden = true;
  byId("explorer").hidden = false;
  await go(addressed(), { push: false });
  byId("rules-details").open = whole.plies.length === 0 && window.innerWidth > 928;
  await answer();
}

begin().catch((error) => {
  byId("waiting").hidden = true;
  problem(error.message);
});
