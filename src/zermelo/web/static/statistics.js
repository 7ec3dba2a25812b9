// How many positions of the whole game have which value.

import { draw, make } from "./page.js";

export function statisticsOf(counts, words, wide) {
  // Only what the rules declare is a tie.
  const drawn = counts.endless && words.draw === "tied" ? "drawn" : words.draw;
  const names = [words.win, drawn, words.loss];
  const total = Math.max(1, counts.positions);
  const numbers = [counts.win, counts.draw, counts.loss];
  const rows = names.map((name, i) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      make("td", {}, numbers[i].toLocaleString()),
      make("td", {}, `${((100 * numbers[i]) / total).toFixed(1)} %`),
    ),
  );
  const table = make(
    "table",
    {},
    make("caption", {}, `${counts.positions === 1 ? "1 position" : `${counts.positions.toLocaleString()} positions`}, by value for the player to move`),
    make("tr", {}, ["value", "positions", "share"].map((name) => make("th", { scope: "col" }, name))),
    rows,
  );
  const note = counts.endless ? [make("p", {}, `${counts.endless.toLocaleString()} draws are endless.`)] : [];
  if (counts.by_value[0]?.game) return [table, ...note, ...games(counts)];
  return [table, ...note, columns(counts, names, wide)];
}

// The values of a partizan game that most positions have.
const MOST_GAMES = 40;

function games({ by_value: rows, more }) {
  const shown = rows.slice(0, MOST_GAMES).map(({ game, positions }) =>
    make("tr", {}, make("th", { scope: "row" }, game), make("td", {}, positions.toLocaleString())),
  );
  const head = make("tr", {}, ["value", "positions"].map((name) => make("th", { scope: "col" }, name)));
  const hidden = rows.length - shown.length + more;
  const rest = hidden ? [make("p", {}, `and ${hidden.toLocaleString()} more values`)] : [];
  return [make("table", {}, make("caption", {}, "Values, the commonest first"), head, shown), ...rest];
}

// In a game with chance, the middle of a part of the range of values.
const numberOf = (at) => (Number.isInteger(at) ? at : Number(at.toPrecision(3)));

// A column for each distance, score, nimber or part of a range, of three parts.
function columns(counts, names, page) {
  const heights = new Map();
  for (const row of counts.by_value) {
    const { at } = row;
    if (at === null) continue;
    if (!heights.has(at)) heights.set(at, { win: 0, draw: 0, loss: 0 });
    heights.get(at)[row.outcome] += row.positions;
  }
  const places = [...heights.keys()].sort((a, b) => a - b);
  if (!places.length) return draw("svg");
  const first = places[0];
  const span = (places.at(-1) - first) / counts.step + 1;
  const most = Math.max(...[...heights.values()].map((h) => h.win + h.draw + h.loss));
  const wide = Math.min(40, (page - 16) / span);
  const bars = places.flatMap((at) => {
    let y = 170;
    return ["win", "draw", "loss"].map((outcome, i) => {
      const high = (130 * heights.get(at)[outcome]) / most;
      y -= high;
      const box = { x: 8 + (wide * (at - first)) / counts.step, y, width: Math.max(0.5, wide * 0.9), height: high };
      const text = `${names[i]}, ${numberOf(at)}: ${heights.get(at)[outcome].toLocaleString()}`;
      return draw("rect", { ...box, class: outcome }, draw("title", {}, text));
    });
  });
  const every = Math.ceil(30 / wide);
  const labels = places
    .filter((at) => Math.round((at - first) / counts.step) % every === 0)
    .map((at) => draw("text", { x: 8 + wide * ((at - first) / counts.step + 0.45), y: 186, "text-anchor": "middle" }, numberOf(at)));
  const what = counts.title;
  return draw(
    "svg",
    { viewBox: `0 0 ${page} 196`, width: page, height: 196, role: "img", class: "chart", "aria-label": what },
    draw("text", { x: 8, y: 14 }, what),
    draw("text", { x: 8, y: 30 }, `${names[0]} below, then ${names[1]}, ${names[2]} on top`),
    bars,
    draw("path", { d: `M8 170H${page - 8}`, class: "zero" }),
    labels,
  );
}
