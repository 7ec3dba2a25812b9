// Who was ahead as the match went: a bar for now, and a chart of all plies.

import { draw, make } from "./page.js";
import { chip } from "./board/players.js";

// From 1, where the first player wins at once, to -1 for the second: the sooner, the further out.
function scaleOf(course) {
  const longest = Math.max(1, ...course.map((at) => at.remoteness ?? 0));
  const widest = Math.max(1, ...course.map((at) => Math.ceil(Math.abs(at.margin ?? 0))));
  const height = (at) => {
    if (isKnown(at.probability)) return 2 * at.probability - 1;
    if (at.margin !== null) return at.margin / widest;
    if (at.favours === null) return 0;
    const near = at.remoteness === null ? 0.5 : 1 - 0.7 * (at.remoteness / longest);
    return at.favours === 0 ? near : -near;
  };
  return { longest, widest, height };
}

const isKnown = (number) => number !== null && number !== undefined;

// The bar above the board: the longer the first player's part, the better for that player. It is
// full, or empty, where a player wins; how soon is in the chart. In a game with chance the part is
// the probability that the first player wins.
export function advantageOf(now, players) {
  const won = now.favours === null ? 0 : now.favours === 0 ? 1 : -1;
  const expected = isKnown(now.probability) ? 2 * now.probability - 1 : won;
  const ahead = now.margin === null ? expected : now.margin / (Math.abs(now.margin) + 5);
  const part = make("span", { class: Math.abs(ahead) < 1 ? "part" : "part whole" });
  part.style.width = `${50 + 50 * ahead}%`;
  return [chip(players, 0), make("span", { class: "track" }, part), chip(players, 1)];
}

// The chart. A click goes to the ply that it is nearest to: `go` is called with it.
export function courseOf(course, now, players, wide, go) {
  const { longest, widest, height } = scaleOf(course);
  const scored = course.some((at) => at.margin !== null);
  const [left, right, top, bottom] = [58, wide - 8, 8, 152];
  const middle = (top + bottom) / 2;
  const half = (bottom - top) / 2 - 8;
  const step = (right - left - 20) / Math.max(1, course.length - 1);
  const points = course.map((at, i) => ({ x: left + 10 + step * i, y: middle - half * height(at), at }));
  const label = (x, y, text, anchor = "middle") => draw("text", { x, y, dy: ".35em", "text-anchor": anchor }, text);
  const favourable = (player, remoteness) => ({ margin: null, favours: player, remoteness });
  const far = longest > 3 ? [[favourable(0, longest), `in ${longest}`], [favourable(1, longest), `in ${longest}`]] : [];
  const even = { margin: null, favours: null };
  const ticks = course.some((at) => isKnown(at.probability))
    ? [[{ probability: 1 }, "100 %"], [{ ...even, probability: 0.5 }, "50 %"], [{ probability: 0 }, "0 %"]]
    : scored
    ? [[{ margin: widest }, `+${widest}`], [{ margin: 0 }, "even"], [{ margin: -widest }, `+${widest}`]]
    : [[favourable(0, 0), "at once"], [even, "draw"], [favourable(1, 0), "at once"], ...far];
  const scale = ticks.flatMap(([at, text]) => {
    const y = middle - half * height(at);
    return [draw("path", { d: `M${left} ${y}H${right}`, class: at.favours === null || at.margin === 0 ? "zero" : "tick" }), label(left - 6, y, text, "end")];
  });
  const line = points.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("");
  const dots = points.map(({ x, y, at }) => {
    const shape = shapeOf(at, x, y);
    if (at.ply === now) shape.classList.add("now");
    return shape;
  });
  const every = Math.ceil((34 * course.length) / wide);
  const plies = points.filter((_, i) => i % every === 0).map(({ x, at }) => label(x, bottom + 12, at.ply));
  const cursor = draw("path", { class: "cursor" });
  const chart = draw(
    "svg",
    {
      viewBox: `0 0 ${wide} 174`,
      width: wide,
      height: 174,
      role: "img",
      class: "chart",
      "aria-label": `Prospects by ply: ${course.map((at) => at.text).join("; ")}`,
    },
    draw("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "frame" }),
    scale,
    label(left + 6, top + 22, `▲ a win for ${players[0]}`, "start"),
    label(left + 6, bottom - 22, `▼ a win for ${players[1]}`, "start"),
    draw("path", { d: line, class: "course" }),
    cursor,
    dots,
    plies,
    label(left - 6, bottom + 12, "ply", "end"),
  );
  const tip = make("p", { class: "tip" });
  const nearest = (event) => {
    const box = chart.getBoundingClientRect();
    const x = ((event.clientX - box.left) * wide) / box.width;
    return points.reduce((one, other) => (Math.abs(other.x - x) < Math.abs(one.x - x) ? other : one));
  };
  const say = (point) => {
    const { at } = point ?? points.find((each) => each.at.ply === now);
    tip.textContent = `${at.ply ? `After ply ${at.ply}` : "At the beginning"}: ${at.text}`;
    cursor.setAttribute("d", point ? `M${point.x} ${top}V${bottom}` : "");
  };
  chart.addEventListener("pointermove", (event) => say(nearest(event)));
  chart.addEventListener("pointerleave", () => say(null));
  chart.addEventListener("click", (event) => go(nearest(event).at.ply));
  say(null);
  return [chart, tip];
}

function shapeOf(at, x, y) {
  const kind = at.favours === null ? "even" : at.favours === 0 ? "first" : "second";
  const shape =
    kind === "first"
      ? draw("circle", { cx: x, cy: y, r: 5 })
      : kind === "even"
        ? draw("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9 })
        : draw("polygon", { points: `${x},${y - 6} ${x + 6},${y} ${x},${y + 6} ${x - 6},${y}` });
  shape.setAttribute("class", `point ${kind}`);
  return shape;
}
