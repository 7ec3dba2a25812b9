// What a move is worth, in signs and words: green and round for a win, yellow and square for a
// draw, red and pointed for a loss.

import { draw } from "../page.js";

const GROUPS = { win: "Winning", draw: "Drawing", loss: "Losing", unknown: "Not proved" };
const EXPECTED = { win: "Best", loss: "Worse", unknown: "What chance brings" };

// In a score game everything on the page is the margin in the end, with the points so far; `edge`
// is how many points the player to move is ahead now. In a game with chance a move is compared with
// the first of `moves`, which is the best; a result of chance is compared with nothing.
export function worthOf(value, edge = 0, moves = []) {
  if (value.bounds) return expected(value, edge, moves[0]);
  if (value.outcome === null) return { outcome: "unknown", sign: "?", text: value.text };
  if (value.score === null) return { outcome: value.outcome, sign: signOf(value), text: value.text };
  const margin = edge + value.score;
  const size = Math.abs(margin).toLocaleString();
  if (margin > 0) return { outcome: "win", sign: `+${size}`, text: `wins by ${size}` };
  if (margin < 0) return { outcome: "loss", sign: `−${size}`, text: `loses by ${size}` };
  return { outcome: "draw", sign: "=", text: "comes out even" };
}

// The most characters of a partizan game's value as a sign.
const SHORT = 7;

// A sign for the outcome, and the distance, or the nimber; or the value of a partizan game.
function signOf(value) {
  const outcome = { win: "+", draw: "=", loss: "−" }[value.outcome];
  if (value.game) return value.text.length <= SHORT ? value.text.replaceAll("-", "−") : outcome;
  if (Number.isInteger(value.nimber)) return `${outcome}*${value.nimber}`;
  if (Array.isArray(value.infinity)) return `${outcome}∞${value.infinity.join(",")}`;
  return outcome + (value.remoteness === null ? (value.outcome === "draw" && value.text.startsWith("endless") ? "∞" : "") : value.remoteness);
}

export const groupName = (outcome, chance = false) => (chance ? EXPECTED : GROUPS)[outcome];

// -- games with chance ------------------------------------------------------------------------------

// As in chance.py.
const DECIMALS = 2;
const MOST_DECIMALS = 6;

function expected(value, edge, first) {
  const bounds = value.probability ? value.bounds : value.bounds.map((bound) => bound + edge);
  const text = value.probability ? `${percentage(...bounds)} %` : signed(marginText(...bounds));
  const rounded = (bounds[0] + bounds[1]) / 2;
  const sign = value.probability ? (50 + 50 * rounded).toFixed(0) : signed(rounded.toFixed(1));
  if (!first || first.odds) return { outcome: "unknown", sign, text };
  const lost = lostBy(first.value, value);
  if (!lost) return { outcome: "win", sign, text };
  const middle = (first.value.bounds[0] + first.value.bounds[1] - value.bounds[0] - value.bounds[1]) / 2;
  return { outcome: "loss", sign, text: `${text} (−${significant(value.probability ? 50 * middle : middle)})` };
}

// By how much a move is worse than the best at least.
export const lostBy = (best, value) => Math.max(0, best.bounds[0] - value.bounds[1]);

// The probability of a win in percent, from bounds of the expected result.
export function percentage(lower, upper) {
  const [least, most] = [50 + 50 * lower, 50 + 50 * upper];
  const isSure = lower === 1 || upper === -1;
  let decimals = decimalsOf(most - least);
  const text = () => shortened(((least + most) / 2).toFixed(decimals));
  while (["0", "100"].includes(text()) && !isSure && decimals < MOST_DECIMALS) decimals += 1;
  return text();
}

export const marginText = (lower, upper) => shortened(((lower + upper) / 2).toFixed(decimalsOf(upper - lower)));

// At most three significant digits. Halves are rounded to even digits, as Python formats numbers.
export function significant(number) {
  const [digits, exponent] = number.toExponential(20).split("e");
  const isHalf = /^-?\d\.\d[02468]50*$/.test(digits);
  return String(Number(isHalf ? `${digits.replace(/50*$/, "")}e${exponent}` : number.toPrecision(3)));
}

const decimalsOf = (width) => (width <= 0 ? DECIMALS : Math.max(0, Math.min(DECIMALS, Math.floor(-Math.log10(width)))));

const shortened = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

const signed = (text) => (Number(text) > 0 ? `+${text}` : Number(text) < 0 ? text.replace("-", "−") : "0");

// A mark with its sign, around a point.
export function mark(worth, x = 0, y = 0) {
  const wide = widthOf(worth);
  const [left, top, high] = [x - wide / 2, y - 9, 18];
  const shape = {
    win: () => draw("rect", { x: left, y: top, width: wide, height: high, rx: 9 }),
    draw: () => draw("rect", { x: left, y: top, width: wide, height: high, rx: 2 }),
    unknown: () => draw("rect", { x: left, y: top, width: wide, height: high, rx: 5 }),
    loss: () => {
      const right = left + wide;
      return draw("polygon", {
        points: `${left},${y} ${left + 6},${top} ${right - 6},${top} ${right},${y} ${right - 6},${top + high} ${left + 6},${top + high}`,
      });
    },
  }[worth.outcome]();
  const label = draw("text", { x, y, dy: ".35em", "text-anchor": "middle" }, worth.sign);
  return draw("g", { class: `mark ${worth.outcome}`, "aria-hidden": "true" }, shape, label);
}

export const widthOf = (worth) => 12 + 7.5 * worth.sign.length;

// A small mark without its sign.
export function dot(worth, x, y) {
  const shape = {
    win: () => draw("circle", { cx: x, cy: y, r: 5 }),
    draw: () => draw("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9 }),
    unknown: () => draw("circle", { cx: x, cy: y, r: 3 }),
    loss: () => draw("polygon", { points: `${x - 6},${y - 4.5} ${x + 6},${y - 4.5} ${x},${y + 6}` }),
  }[worth.outcome]();
  shape.setAttribute("class", `dot ${worth.outcome}`);
  return shape;
}

// A mark as a picture of its own, to stand in text.
export function badge(worth) {
  const wide = widthOf(worth);
  const size = { viewBox: `${-wide / 2} -9 ${wide} 18`, width: wide, height: 18 };
  return draw("svg", { ...size, class: "badge worth", "aria-hidden": "true" }, mark(worth));
}
