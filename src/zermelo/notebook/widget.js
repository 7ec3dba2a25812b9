// A board in a notebook: the explorer's, which asks Python instead of a server. The moves of the match
// are a trait that both sides share; Python answers each change with the document of the match.

import { Board } from "./board/board.js";
import { chip } from "./board/players.js";
import { worthOf } from "./board/values.js";
import { advantageOf } from "./chart.js";
import { chanceTiles, historyList, lately, moveList, pointOut } from "./moves.js";
import { draw, make } from "./page.js";

function render({ model, el }) {
  let spelt = "";
  let chosen = [];
  let flipped = false;
  let whole = model.get("_document"); // with what was taken back, to step forward again

  const part = (name, ...children) => make("div", { class: name }, ...children);
  const bar = part("bar worth");
  const state = make("p", { class: "state", role: "status", "aria-live": "polite" });
  const problem = make("p", { class: "problem", role: "alert" });
  const place = part("place");
  const moves = part("moves");
  const history = make("ol", { class: "history" });
  const button = (text, label, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  const icon = (d) => draw("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, draw("path", { d }));
  const steps = [
    button(icon("M4 3v10M13 3L6 8l7 5z"), "To the beginning", () => goTo(0)),
    button(icon("M12 3L4 8l8 5z"), "Back", () => goTo(model.get("moves").length - 1)),
    button(icon("M4 3l8 5-8 5z"), "Forward", () => goTo(model.get("moves").length + 1)),
    button(icon("M12 3v10M3 3l7 5-7 5z"), "To the end", () => goTo(whole.plies.length)),
  ];
  const cancelling = button("Cancel", "Cancel", () => cancel());
  const turning = button("Flip", "Flip the board", () => {
    flipped = !flipped;
    show();
  });
  const reveal = make("input", { type: "checkbox", onchange: () => set("show_values", reveal.checked) });
  const switched = make("label", { class: "check" }, reveal, " Show what moves lead to");
  const rolling = button("Roll", "Roll", () => set("_rolls", model.get("_rolls") + 1));
  const tiles = part("tiles");
  const chance = part("chance", rolling, tiles);
  const controls = part("buttons", ...steps, turning, cancelling, switched);
  const left = part("play", bar, state, problem, place, chance, controls);
  const right = part("panel", moves, history);
  const root = part("zermelo-board", left, right);
  el.replaceChildren(root);

  const match = () => model.get("_document");
  const worth = (move) => worthOf(move.value, edge(), match().position.moves);
  const edge = () => {
    const { points, player } = match();
    return points ? points[player] - points[1 - player] : 0;
  };

  function set(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  function cancel() {
    [spelt, chosen] = ["", []];
    show();
  }

  function play(move) {
    set("moves", [...match().plies.map((ply) => ply.key), move.key]);
  }

  // Steps that the opponent would answer at once are taken two at a time.
  function goTo(ply) {
    const keys = whole.plies.map((each) => each.key);
    let to = Math.max(0, Math.min(ply, keys.length));
    const theirs = model.get("skill") === null ? -1 : model.get("_answers");
    if (to < model.get("moves").length) while (to > 0 && whole.plies[to]?.player === theirs) to -= 1;
    set("moves", keys.slice(0, to));
  }

  const board = new Board(place, {
    play,
    spell: (text, parts) => {
      [spelt, chosen] = [text, parts];
      show();
    },
    cancel,
    hover: (pointed) => pointOut(moves, pointed),
  });

  function show() {
    const now = match();
    const { position, plies, players, player, over, prospects } = now;
    const seen = model.get("show_values");
    const focused = root.contains(document.activeElement) && place.contains(document.activeElement);
    root.classList.toggle("blind", !seen);
    reveal.checked = seen;
    const told = over || seen ? `; ${prospects}` : "";
    const made = plies.at(-1);
    const before = lately(now);
    const what = position.chance ? "roll" : "move";
    state.replaceChildren(...(over ? [`${before}The game is over`, told, "."] : [before, chip(players, player), ` to ${what}${told}.`]));
    problem.textContent = model.get("_problem");
    bar.replaceChildren(...advantageOf(now.course.at(-1), players));
    board.show({
      position,
      spelt,
      chosen,
      flipped,
      worth: seen ? worth : null,
      last: made && !made.odds ? { code: made.position, name: made.name } : null,
    });
    if (focused) board.focus();
    const act = { play, point: (move) => board.point(move) };
    chance.hidden = !position.chance;
    tiles.replaceChildren(...(position.chance ? chanceTiles(position, act) : []));
    moves.replaceChildren(...moveList(position, seen ? worth : null, act));
    history.replaceChildren(...historyList(whole, plies.length, goTo));
    cancelling.hidden = !spelt;
    steps[0].disabled = steps[1].disabled = plies.length === 0;
    steps[2].disabled = steps[3].disabled = plies.length === whole.plies.length;
  }

  function changed() {
    const now = match();
    const goesOn = now.plies.every((ply, i) => ply.key === whole.plies[i]?.key);
    if (!goesOn || now.plies.length > whole.plies.length) whole = now;
    [spelt, chosen] = ["", []];
    show();
  }

  const onkey = (event) => {
    const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    event.stopPropagation(); // a notebook has shortcuts of its own
    if (!to || event.defaultPrevented) return;
    event.preventDefault();
    goTo(model.get("moves").length + to);
  };
  root.addEventListener("keydown", onkey);
  model.on("change:_document", changed);
  model.on("change:show_values", show);
  model.on("change:_problem", show);
  show();
  return () => {
    model.off("change:_document", changed);
    model.off("change:show_values", show);
    model.off("change:_problem", show);
  };
}

export default { render };
