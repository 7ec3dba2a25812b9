// The board: the game's own picture, on which moves can be made.
//
// An element with data-move stands for a move of that name, or for the next part of a name that is
// spelt by several clicks, such as from one square to another.

import { draw, mark } from "./page.js";

// Take from a tag, before it is read, what a browser complains of as soon as it is read.
function tamed(tag) {
  return tag
    .replace(/^<(\/?)style\b/, "<$1desc")
    .replace(/\s([^\s=<>"'/]+)(\s*=\s*(?:"[^"]*"|'[^']*'))/g, (whole, name, value) => {
      if (/^on/i.test(name)) return "";
      return name === "style" ? ` data-style${value}` : whole;
    });
}

// Read a picture. It runs nothing, and its styles are set one by one, as inline ones are not let in.
function picture(text) {
  const tame = text.replace(/<(?:"[^"]*"|'[^']*'|[^"'>])*>/g, tamed);
  const read = new DOMParser().parseFromString(tame, "image/svg+xml").documentElement;
  if (read.localName !== "svg") return draw("svg");
  for (const node of [...read.querySelectorAll("script, style, desc, foreignObject, a, animate, set")]) node.remove();
  for (const node of [read, ...read.querySelectorAll("*")]) {
    for (const { name, value } of [...node.attributes]) {
      const leadsAway = /href$/i.test(name) && !value.startsWith("#");
      if (/^on/i.test(name) || leadsAway) node.removeAttribute(name);
    }
  }
  const svg = document.importNode(read, true);
  for (const node of [svg, ...svg.querySelectorAll("[data-style]")]) {
    node.style.cssText = node.dataset.style ?? "";
  }
  return svg;
}

// What stands between the parts of a name, and is not clicked: b2-c3xa1 is b2, c3 and a1.
const BETWEEN = /^ ?[-–×x:,→] ?/;

// How far a click takes a name: the name as far as it is spelt then, or null if it is not in it.
function spelling(name, spelt, part) {
  if (!name.startsWith(spelt)) return null;
  const between = spelt ? (BETWEEN.exec(name.slice(spelt.length))?.[0] ?? "") : "";
  return [spelt + part, spelt + between + part].find((begun) => name.startsWith(begun)) ?? null;
}

// Whether a name goes on with another part, and not within a number.
const breaks = (name, begun) => !/\d$/.test(begun) || !/^\d/.test(name.slice(begun.length));

// What a click on each element does: { move } makes it, { spelt } waits for another click.
export function meanings(names, moves, spelt) {
  const found = new Map();
  const reached = new Map([...new Set(names)].map((part) => [part, new Map()]));
  const whole = new Set();
  for (const [part, those] of reached) {
    for (const move of moves) {
      const begun = spelling(move.name, spelt, part);
      if (begun !== null) those.set(move, begun);
      if (begun === move.name) whole.add(move);
    }
  }
  for (const [part, those] of reached) {
    const exact = [...those.keys()].find((move) => those.get(move) === move.name);
    // A move that one click makes is not spelt by two: node 12 is not 1 and then 2.
    const begun = [...those.keys()].filter((move) => !whole.has(move));
    const apart = begun.filter((move) => breaks(move.name, those.get(move)));
    const rest = apart.length ? apart : begun;
    if (exact) found.set(part, { move: exact, best: exact });
    else if (rest.length) found.set(part, { spelt: those.get(rest[0]), best: rest[0], count: rest.length });
  }
  return found;
}

export function showBoard(place, position, spelt, onmove, onspell) {
  const svg = picture(position.svg);
  const spots = [...svg.querySelectorAll("[data-move]")];
  const found = meanings(spots.map((spot) => spot.dataset.move), position.moves, spelt);
  const marks = draw("g", { class: "worth" });
  const seen = new Set();
  const marked = [];
  for (const spot of spots) {
    const name = spot.dataset.move;
    const meaning = found.get(name);
    if (!meaning) {
      spot.style.pointerEvents = "none";
      continue;
    }
    spot.classList.add("spot", meaning.best.value.outcome);
    spot.addEventListener("click", () => (meaning.move ? onmove(meaning.move) : onspell(meaning.spelt)));
    if (seen.has(name)) continue; // a column of squares is one move
    seen.add(name);
    spot.setAttribute("role", "button");
    spot.setAttribute("tabindex", "0");
    const worth = document.body.classList.contains("blind") ? "" : `: ${meaning.best.value.text}`;
    const what = meaning.move ? name : `${name}, ${meaning.count} moves, the best`;
    spot.setAttribute("aria-label", `${what}${worth}`);
    spot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      spot.dispatchEvent(new Event("click"));
    });
    marked.push([spot, meaning]);
  }
  if (found.size) {
    svg.setAttribute("role", "group");
    svg.addEventListener("keydown", (event) => step(event, [...svg.querySelectorAll("[tabindex]")]));
  }
  svg.setAttribute("aria-label", svg.querySelector("title")?.textContent || position.text);
  svg.querySelector("title")?.remove(); // which would follow the mouse about
  svg.append(marks);
  place.replaceChildren(svg);
  for (const [spot, { best, spelt: begun }] of marked) {
    marks.append(markOn(boxOf(svg, spot), best.value, spelt || begun));
  }
}

// Where an element is in its picture, which must be on the page.
function boxOf(svg, spot) {
  const { x, y, width, height } = spot.getBBox();
  const way = svg.getScreenCTM().inverse().multiply(spot.getScreenCTM());
  const [near, far] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((at) => at.matrixTransform(way));
  return { x: near.x, y: near.y, wide: far.x - near.x, high: far.y - near.y };
}

// In the middle of a box; at the top of a column, beside a node, and below the piece on a square
// that moves go from or to.
function markOn({ x, y, wide, high }, value, below) {
  let [down, scale] = [high / 2, 1];
  if (high > 60) down = 12;
  else if (below) [down, scale] = [high - 7, 0.7];
  else if (wide < 24) scale = 0.6;
  else if (wide < 32) down = high + 3;
  const found = mark(value);
  const across = x + wide / 2 + (scale === 1 && wide < 32 ? 4 : 0);
  found.setAttribute("transform", `translate(${across} ${y + down}) scale(${scale})`);
  return found;
}

// The arrow keys go from place to place.
function step(event, places) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  if (!way || !places.includes(document.activeElement)) return;
  event.preventDefault();
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(document.activeElement);
  const far = (node) => {
    const [a, b] = middle(node);
    const along = (a - x) * way[0] + (b - y) * way[1];
    const beside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    return along > 1 ? along + 2 * beside : Infinity;
  };
  const next = places.reduce((one, other) => (far(other) < far(one) ? other : one));
  if (far(next) < Infinity) next.focus();
}
