// What is drawn over the board, in pixels of the page: marks of what moves are worth, arrows of the
// best ones, the last move, and what the mouse or the keyboard points at.

import { draw } from "../page.js";
import { partsOf } from "./spelling.js";
import { dot, mark, widthOf } from "./values.js";

// The most best moves that are shown by arrows.
const MOST_ARROWS = 3;
const SCALE = 0.85;
// The least width of what a finger meets, in pixels.
const FINGER = 24.5;

export function decorate(board) {
  const { view, svg, overlay, frame } = board;
  const all = frame.getBoundingClientRect();
  if (!all.width) return;
  overlay.setAttribute("viewBox", `0 0 ${all.width} ${all.height}`);
  board.boxes = boxesOf(board.spots, all, view.flipped);
  frame.style.setProperty("--fingers", `${widthForFingers(board, all)}px`);
  lastMove.keep(board.shapes, view.position.position, svg, view.flipped);
  const layers = ["last", "arrows", "chosen", "marks", "pointed", "drag"].map((name) => [name, draw("g", { class: name })]);
  board.layers = Object.fromEntries(layers);
  overlay.replaceChildren(...layers.map(([, layer]) => layer));
  const last = view.last ? lastMove.boxes(board, all) : [];
  board.underlay.setAttribute("viewBox", `0 0 ${all.width} ${all.height}`);
  board.underlay.replaceChildren(...last.map((box) => outline(box, 3)));
  board.layers.last.append(...last.map((box) => outline(box, 3)));
  board.marks = new Map(); // by the name of its spot
  for (const name of view.chosen) {
    if (board.boxes.has(name)) board.layers.chosen.append(frameOf(board.boxes.get(name)));
  }
  if (!view.worth) return;
  const { moves } = view.position;
  const best = moves.length ? view.worth(moves[0]) : null;
  const isBest = ({ outcome, sign }) => outcome === best.outcome && sign === best.sign;
  const arrows = view.spelt || view.position.chance ? [] : bestArrows(board, moves.filter((move) => isBest(view.worth(move))));
  board.layers.arrows.append(...arrows.map(({ move, parts }) => arrow(board, parts, view.worth(move).outcome)));
  const taken = [...svg.querySelectorAll("text")].map((text) => inside(text.getBoundingClientRect(), all));
  const others = [...board.boxes.values()].map(within);
  const put = (name, worth, numbered) => {
    const found = markAt(board.boxes.get(name), worth, numbered, taken, others, all);
    board.marks.set(name, { ...found, sign: worth.sign });
    board.layers.marks.append(found.node);
  };
  for (const [name, meaning] of board.found) {
    if (!meaning.moves.length || meaning.instead) continue;
    const worth = view.worth(meaning.moves[0]);
    // The number of a move that an arrow shows is where that leads to.
    const numbered = isBest(worth) && !(meaning.spelt && arrows.length);
    put(name, worth, numbered);
  }
  const ends = new Set(arrows.map(({ parts }) => parts.at(-1)));
  for (const end of ends) {
    if (!board.found.has(end)) put(end, view.worth(moves[0]), true);
  }
}

// How wide the picture is where the smallest spot is as large as a finger needs it.
function widthForFingers({ boxes, found }, all) {
  const sizes = [...boxes].filter(([name]) => found.has(name)).map(([, { wide, high }]) => Math.min(wide, high));
  return sizes.length ? (all.width * FINGER) / Math.max(1, Math.min(...sizes)) : 0;
}

// Where the spots of each name are. Several above one another, as in a column, are one.
function boxesOf(spots, all, flipped = false) {
  const boxes = new Map();
  for (const spot of spots) {
    const box = { ...inside(spot.getBoundingClientRect(), all), form: formOf(spot, all, flipped) };
    const other = boxes.get(spot.dataset.move);
    if (!other) boxes.set(spot.dataset.move, box);
    else if (Math.abs(other.x - box.x) < 1 && Math.abs(other.wide - box.wide) < 1) {
      const [top, bottom] = [Math.min(other.y, box.y), Math.max(other.y + other.high, box.y + box.high)];
      boxes.set(spot.dataset.move, { ...other, y: top, high: bottom - top, form: null });
    }
  }
  return boxes;
}

const inside = ({ left, top, width, height }, all) => ({ x: left - all.left, y: top - all.top, wide: width, high: height });

// What a spot looks like within its box: the corners of a polygon as shares of the box, "round" for
// a disc, or null for a box.
function formOf(spot, all, flipped) {
  if (spot.localName === "circle") return "round";
  if (spot.localName !== "polygon") return null;
  const turned = spot.getCTM();
  const places = [...spot.points].map((point) => {
    const { x, y } = point.matrixTransform(turned);
    return flipped ? [all.width - x, all.height - y] : [x, y];
  });
  const [xs, ys] = [0, 1].map((i) => places.map((place) => place[i]));
  const share = (numbers) => {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    return numbers.map((number) => (number - low) / Math.max(1e-9, high - low));
  };
  const [across, down] = [share(xs), share(ys)];
  return across.map((x, i) => [x, down[i]]);
}

const turnedForm = (form) => (Array.isArray(form) ? form.map(([x, y]) => [1 - x, 1 - y]) : form);

// The largest box around the middle of a spot that is inside its polygon, if it fills most of it.
function within(box) {
  if (!Array.isArray(box.form)) return box;
  const holds = (x, y) =>
    box.form.reduce((odd, [a, b], i) => {
      const [c, d] = box.form.at(i - 1);
      return b > y !== d > y && x < a + ((c - a) * (y - b)) / (d - b) ? !odd : odd;
    }, false);
  for (let share = 1; share >= 0.5; share -= 0.02) {
    const ends = [0.5 - share / 2, 0.5 + share / 2];
    if (!ends.every((x) => ends.every((y) => holds(x, y)))) continue;
    const [wide, high] = [box.wide * share, box.high * share];
    return { x: box.x + (box.wide - wide) / 2, y: box.y + (box.high - high) / 2, wide, high, of: box };
  }
  return box;
}

// The outline of a spot, `grow` pixels further out; the corners of a box are rounded by `round`.
function outline(box, round, attributes = {}, grow = 0) {
  const { x, y, wide, high, form } = box;
  if (Array.isArray(form)) {
    const [a, b] = [1 + (2 * grow) / Math.max(1, wide), 1 + (2 * grow) / Math.max(1, high)];
    const corner = ([u, v]) => `${x + wide * (0.5 + a * (u - 0.5))},${y + high * (0.5 + b * (v - 0.5))}`;
    return draw("polygon", { ...attributes, points: form.map(corner).join(" ") });
  }
  const rounded = form === "round" || wide < 44;
  return draw("rect", {
    ...attributes,
    x: x - grow,
    y: y - grow,
    width: Math.max(1, wide + 2 * grow),
    height: Math.max(1, high + 2 * grow),
    rx: rounded ? (Math.min(wide, high) + 2 * grow) / 2 : round,
  });
}

const grown = ({ x, y, wide, high }) => ({ x: x - 3, y: y - 3, wide: wide + 6, high: high + 6 });

const middle = ({ x, y, wide, high }) => [x + wide / 2, y + high / 2];

// A small mark in a corner of a spot, or a number, where it covers least: of what is written there,
// of other spots, and of the spot itself where that is small.
function markAt(spot, worth, numbered, taken, others, all) {
  const box = within(spot);
  const scale = Math.min(spot.wide, spot.high) > 90 ? 1.1 : SCALE;
  // What stands alone, such as a point, has something in its middle; a square is filled.
  const alone = !others.some((other) => !same(other, box) && overlap(grown(spot), other.of ?? other));
  numbered &&= Math.min(box.wide, box.high) >= (alone ? 12 : 40);
  const [wide, high] = numbered ? [scale * widthOf(worth), 18 * scale] : [12, 12];
  const [x, y] = middle(box);
  const corners = (across, down) => [[1, -1], [-1, -1], [1, 1], [-1, 1]].map(([a, b]) => [x + a * across, y + b * down]);
  const near = (size, half) => Math.max(0, Math.min(size / 2 - half - 3, alone ? Math.max(22, 0.36 * size) : size));
  const [across, down] = [near(box.wide, wide / 2), near(box.high, high / 2)];
  const small = Math.min(box.wide, box.high) < (spot.form === "round" ? 90 : 48);
  const places = box.high > 2.2 * box.wide ? [[x, y - down], [x, y + down]] : [...corners(across, down), ...(small && alone ? corners(box.wide / 2 + 4, box.high / 2 + 2) : [])];
  const rect = ([a, b]) => ({ x: a - wide / 2, y: b - high / 2, wide, high });
  const cost = (place) => {
    const its = rect(place);
    const sum = (boxes) => boxes.reduce((total, other) => total + overlap(its, other), 0);
    const out = its.x < -6 || its.y < -6 || its.x + wide > all.width + 6 || its.y + high > all.height + 6;
    return 4 * sum(taken) + 6 * sum(others.filter((other) => !same(other, box))) + (small ? sum([box]) / 2 : 0) + (out ? 1000 : 0);
  };
  const costs = places.map(cost);
  const [a, b] = places[costs.indexOf(Math.min(...costs))];
  taken.push(rect([a, b]));
  if (!numbered) return { node: dot(worth, a, b), numbered };
  const node = mark(worth);
  node.setAttribute("transform", `translate(${a} ${b}) scale(${scale})`);
  return { node, numbered };
}

const same = (one, other) => one.x === other.x && one.y === other.y && one.wide === other.wide && one.high === other.high;

function overlap(one, other) {
  const across = Math.min(one.x + one.wide, other.x + other.wide) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.high, other.y + other.high) - Math.max(one.y, other.y);
  return across > 0 && down > 0 ? across * down : 0;
}

function bestArrows(board, best) {
  const drawn = best.map((move) => ({ move, parts: board.partsOf(move) })).filter(({ parts }) => parts.length > 1);
  const lines = new Map(drawn.map(({ move, parts }) => [parts.join(), { move, parts }]));
  if (lines.size > MOST_ARROWS) return [];
  return [...lines.values()];
}

function arrow(board, parts, kind) {
  const points = parts.map((part) => middle(board.boxes.get(part)));
  const [[a, b], [c, d]] = points.slice(-2);
  const long = Math.hypot(c - a, d - b);
  if (long < 1) return draw("g");
  const [x, y] = [(c - a) / long, (d - b) / long];
  const head = Math.min(18, long / 2);
  const [u, v] = [c - x * head, d - y * head];
  const half = head * 0.55;
  const line = [...points.slice(0, -1), [u, v]].map(([p, q]) => `${p} ${q}`).join("L");
  return draw(
    "g",
    { class: `arrow ${kind}` },
    draw("path", { d: `M${line}` }),
    draw("polygon", { points: `${c},${d} ${u - y * half},${v + x * half} ${u + y * half},${v - x * half}` }),
  );
}

const frameOf = (box, kind = "") => outline(box, 6, { class: `ringed ${kind}` }, box.wide < 30 ? 3 : -1);

// Show what is pointed at: its spots, the way it goes, and what it is worth.
export function pointAt(board, moves, meaning = null) {
  if (!board.layers) return;
  const { pointed } = board.layers;
  pointed.replaceChildren();
  for (const { node } of board.marks.values()) node.removeAttribute("visibility");
  const { worth } = board.view;
  for (const move of moves.slice(0, 40)) {
    const parts = board.partsOf(move);
    const kind = worth ? worth(move).outcome : "";
    if (parts.length > 1) pointed.append(arrow(board, parts, kind));
    else if (parts.length) pointed.append(frameOf(board.boxes.get(parts[0]), kind));
    if (!worth || !parts.length) continue;
    if (moves.length > 1 && meaning?.move) continue;
    const there = board.marks.get(parts.at(-1));
    // What stands there says the same already, or makes way.
    if (there?.sign === worth(move).sign && (there.numbered || moves.length > 1)) continue;
    there?.node.setAttribute("visibility", "hidden");
    pointed.append(tagged(board.boxes.get(parts.at(-1)), worth(move), moves.length > 1));
  }
}

function tagged(box, worth, small) {
  const [x] = middle(box);
  const found = small ? dot(worth, x, box.y + 8) : mark(worth);
  if (!small) found.setAttribute("transform", `translate(${x} ${Math.max(9, box.y - 2)})`);
  return found;
}

// The last move is marked by where its spots were in the picture before, as long as the picture has
// not changed its shape and what has that name now is still in the same place. Of a column, only
// what is new in it is marked.
export const lastMove = {
  keep(shapes, code, svg, flipped = false) {
    const all = svg.getBoundingClientRect();
    const part = ({ x, y, wide, high, form = null }) => {
      const [a, b, w, h] = [x / all.width, y / all.height, wide / all.width, high / all.height];
      return flipped ? [1 - a - w, 1 - b - h, w, h, turnedForm(form)] : [a, b, w, h, form];
    };
    const boxes = new Map();
    for (const [name, box] of boxesOf([...svg.querySelectorAll("[data-move]")], all, flipped)) boxes.set(name, part(box));
    const drawn = new Map();
    for (const node of svg.querySelectorAll(":is(circle, rect, ellipse, polygon, text):not([data-move])")) {
      drawn.set(shapeOf(node), part(inside(node.getBoundingClientRect(), all)));
    }
    shapes.set(code, { shape: svg.getAttribute("viewBox"), boxes, drawn });
  },

  boxes(board, all) {
    const { last, flipped, position } = board.view;
    const [before, now] = [board.shapes.get(last.code), board.shapes.get(position.position)];
    if (!before || before.shape !== now.shape) return [];
    const parts = partsOf(last.name, new Set(before.boxes.keys()));
    const same = (part) => {
      const [one, other] = [before.boxes.get(part), now.boxes.get(part)];
      return !other || [0, 1, 2, 3].every((i) => Math.abs(one[i] - other[i]) < 0.01);
    };
    if (!parts.every(same)) return [];
    const added = [...now.drawn].filter(([shape]) => !before.drawn.has(shape)).map(([, box]) => box);
    return parts.map((part) => {
      const [a, b, w, h, form] = narrowed(before.boxes.get(part), added, all);
      const [x, y] = flipped ? [1 - a - w, 1 - b - h] : [a, b];
      const size = { wide: w * all.width, high: h * all.height };
      return { x: x * all.width, y: y * all.height, ...size, form: flipped ? turnedForm(form) : form };
    });
  },
};

// What tells an element of one picture from those of another.
const shapeOf = (node) =>
  `${node.localName} ${["x", "y", "cx", "cy", "r", "width", "height", "points", "data-style", "stroke-width"].map((name) => node.getAttribute(name))} ${node.textContent}`;

function narrowed(box, added, all) {
  const [x, y, wide, high] = box;
  if (high * all.height < 2.2 * wide * all.width) return box;
  const its = added.filter(([a, b, w, h]) => a >= x - 0.01 && a + w <= x + wide + 0.01 && b >= y - 0.01 && b + h <= y + high + 0.01);
  if (!its.length) return box;
  const top = Math.min(...its.map((each) => each[1]));
  const bottom = Math.max(...its.map((each) => each[1] + each[3]));
  const square = (wide * all.width) / all.height; // as high as wide
  return [x, (top + bottom - square) / 2, wide, square, null];
}
