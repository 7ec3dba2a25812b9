// Plots: who was ahead as the match went, and how many positions have which value.

import { draw, make } from "./page.js";

// One side's prospects are the other's turned over, so one line shows both: up for the first
// player, down for the second; the nearer the end of the game, the further from the middle.
export function courseOf(match, wide) {
  const { course, players } = match;
  const [left, right, top, bottom] = [8, wide - 8, 26, 174];
  const middle = (top + bottom) / 2;
  const half = (bottom - top) / 2 - 8;
  const step = (right - left - 24) / Math.max(1, course.length - 1);
  const longest = Math.max(1, ...course.map((at) => at.remoteness ?? 0));
  const widest = Math.max(1, ...course.map((at) => Math.abs(at.margin ?? 0)));
  const height = (at) => {
    if (at.margin !== null) return at.margin / widest;
    if (at.favours === null) return 0;
    const near = at.remoteness === null ? 0.5 : 1 - 0.7 * (at.remoteness / longest);
    return at.favours === 0 ? near : -near;
  };
  const points = course.map((at, i) => ({ x: left + 12 + step * i, y: middle - half * height(at), at }));
  const path = points.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("");
  const dots = points.map(({ x, y, at }) => {
    const kind = at.favours === null ? "even" : at.favours === 0 ? "first" : "second";
    const shape =
      kind === "first"
        ? draw("circle", { cx: x, cy: y, r: 5 })
        : kind === "even"
          ? draw("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9 })
          : draw("polygon", { points: `${x},${y - 6} ${x + 6},${y} ${x},${y + 6} ${x - 6},${y}` });
    shape.classList.add(kind);
    shape.append(draw("title", {}, `after ${at.ply}: ${at.text}`));
    return shape;
  });
  const label = (x, y, text, anchor) => draw("text", { x, y, "text-anchor": anchor }, text);
  const every = Math.ceil((30 * course.length) / wide);
  const plies = points
    .filter((_, i) => i % every === 0)
    .map(({ x, at }) => label(x, bottom + 16, at.ply, "middle"));
  return draw(
    "svg",
    { viewBox: `0 0 ${wide} 206`, role: "img", class: "chart", "aria-label": `Prospects by ply: ${course.map((at) => at.text).join("; ")}` },
    draw("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "frame" }),
    draw("path", { d: `M${left} ${middle}H${right}`, class: "zero" }),
    draw("path", { d: path, class: "course" }),
    dots,
    plies,
    label(left, 16, `▲ ${players[0]} wins${longest > 1 ? ", the sooner the higher" : ""}`, "start"),
    label(right, 16, `▼ ${players[1]} wins`, "end"),
    label(right, bottom + 30, "ply", "end"),
  );
}

export function statisticsOf(counts, words, wide) {
  const names = [words.win, words.draw, words.loss];
  const total = Math.max(1, counts.positions);
  const numbers = [counts.win, counts.draw, counts.loss];
  const table = make(
    "table",
    {},
    make("caption", {}, `${counts.positions.toLocaleString()} positions, for the player to move`),
    make("tr", {}, ["", "positions", "share"].map((name) => make("th", { scope: "col" }, name))),
    names.map((name, i) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, name),
        make("td", {}, numbers[i].toLocaleString()),
        make("td", {}, `${((100 * numbers[i]) / total).toFixed(1)} %`),
      ),
    ),
  );
  const note = counts.endless ? `${counts.endless.toLocaleString()} draws are endless.` : "";
  return [table, make("p", {}, note), columns(counts, names, wide)];
}

// A column for each distance, score or nimber, of three parts.
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
  const span = places.at(-1) - first + 1;
  const most = Math.max(...[...heights.values()].map((h) => h.win + h.draw + h.loss));
  const wide = Math.min(40, (page - 16) / span);
  const bars = places.flatMap((at) => {
    let y = 170;
    return ["win", "draw", "loss"].map((outcome, i) => {
      const high = (130 * heights.get(at)[outcome]) / most;
      y -= high;
      const box = { x: 8 + wide * (at - first), y, width: Math.max(0.5, wide * 0.9), height: high };
      const text = `${names[i]}, ${at}: ${heights.get(at)[outcome].toLocaleString()}`;
      return draw("rect", { ...box, class: outcome }, draw("title", {}, text));
    });
  });
  const every = Math.ceil(30 / wide);
  const labels = places
    .filter((at) => (at - first) % every === 0)
    .map((at) => draw("text", { x: 8 + wide * (at - first + 0.45), y: 186, "text-anchor": "middle" }, at));
  const what = counts.title;
  return draw(
    "svg",
    { viewBox: `0 0 ${page} 196`, role: "img", class: "chart", "aria-label": what },
    draw("text", { x: 8, y: 14 }, what),
    draw("text", { x: 8, y: 30 }, `${names[0]} below, then ${names[1]}, ${names[2]} on top`),
    bars,
    draw("path", { d: `M8 170H${page - 8}`, class: "zero" }),
    labels,
  );
}
