// A piece goes to where it was moved, a stone falls down its column, and what else is new comes
// gently. Nothing moves where the system asks for less motion.

import { partsOf } from "./spelling.js";

const MILLISECONDS = 180;
const DRAWN = "circle, ellipse, line, path, polygon, polyline, rect, text, use";

// What a picture draws, each with its transforms, so that two pictures can be compared.
export function drawnIn(svg) {
  const all = [...svg.querySelectorAll(DRAWN)].filter((node) => !node.closest("[data-move]"));
  return new Map(all.map((node) => [keyOf(node, svg), node]));
}

function keyOf(node, svg) {
  let key = node.outerHTML;
  for (let at = node.parentElement; at && at !== svg; at = at.parentElement) key += at.getAttribute("transform") ?? "";
  return key;
}

// Show the move from one picture to the next: `drawn` is what the one before drew, `boxes` where its
// spots were, in pixels of the frame.
export function glide({ svg, frame, view }, drawn, boxes) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const added = [...drawnIn(svg)].filter(([key]) => !drawn.has(key)).map(([, node]) => node);
  const parts = partsOf(view.last.name, new Set(boxes.keys())).map((part) => boxes.get(part));
  const all = frame.getBoundingClientRect();
  for (const node of added) {
    const { left, top, width, height } = node.getBoundingClientRect();
    const middle = [left + width / 2 - all.left, top + height / 2 - all.top];
    const from = originOf(middle, parts, view.flipped);
    const frames = from ? { translate: [shift(node, from, middle), "0 0"] } : { opacity: [0, 1] };
    node.animate(frames, { duration: MILLISECONDS, easing: "ease-out" });
  }
}

// Where what stands here now has come from, if the move says so.
function originOf([x, y], parts, flipped) {
  const to = parts.at(-1);
  if (!to || x < to.x || x > to.x + to.wide || y < to.y || y > to.y + to.high) return null;
  if (parts.length > 1) return [parts[0].x + parts[0].wide / 2, parts[0].y + parts[0].high / 2];
  return to.high > 2.2 * to.wide ? [x, flipped ? to.y + to.high : to.y] : null;
}

// The way between two points of the page, in the units of an element's picture.
function shift(node, from, to) {
  const turned = node.parentElement.getScreenCTM().inverse();
  const [a, b] = [from, to].map(([x, y]) => new DOMPoint(x, y).matrixTransform(turned));
  return `${a.x - b.x}px ${a.y - b.y}px`;
}
