// The board: the game's own picture, on which moves are made by clicks, by dragging, or by keys.
//
// An element with data-move stands for a move of that name, or for the next part of a name that is
// spelt by several clicks, such as from one square to another.

import { draw, make } from "../page.js";
import { picture } from "./picture.js";
import { meanings, partsOf } from "./spelling.js";
import { decorate, lastMove, pointAt } from "./overlay.js";
import { followDrag } from "./drag.js";
import { drawnIn, glide } from "./motion.js";

// How much pictures are enlarged at most; text alone is enlarged less.
const LARGEST = 4;
const LARGEST_TEXT = 1.6;

export class Board {
  // `handlers` has play(move), spell(text, part), cancel(), and hover(moves or null).
  constructor(place, handlers) {
    this.handlers = handlers;
    this.svg = draw("svg");
    this.underlay = draw("svg", { class: "underlay", "aria-hidden": "true" });
    this.overlay = draw("svg", { class: "overlay", "aria-hidden": "true" });
    this.frame = make("div", { class: "frame" }, this.underlay, this.svg, this.overlay);
    this.shapes = new Map(); // of pictures shown before: where their spots are
    place.replaceChildren(this.frame);
    new ResizeObserver(() => this.view && decorate(this)).observe(this.frame);
  }

  // Show a view: { position, spelt, chosen, worth, flipped, last }. `worth` says what a move is
  // worth, or is null where that is hidden; `last` is the move that led here: { code, name }.
  show(view) {
    const moved = view.last && view.last.code === this.view?.position.position && view.position !== this.view.position;
    const before = moved && this.boxes ? { drawn: drawnIn(this.svg), boxes: this.boxes } : null;
    this.view = view;
    const { position, spelt, chosen } = view;
    const svg = picture(position.svg);
    this.spots = [...svg.querySelectorAll("[data-move]")];
    const names = this.spots.map((spot) => spot.dataset.move);
    this.names = new Set(names);
    this.found = position.chance ? results(names, position.moves) : meanings(names, position.moves, spelt);
    // Another piece can be chosen instead of the one that is chosen.
    if (spelt) {
      for (const [name, meaning] of meanings(names, position.moves, "")) {
        if (!this.found.has(name) && !chosen.includes(name)) this.found.set(name, { ...meaning, instead: true });
      }
      for (const name of chosen) if (this.names.has(name)) this.found.set(name, { cancels: true, moves: [] });
    }
    this.listen(svg);
    svg.setAttribute("class", view.flipped ? "picture flipped" : "picture");
    svg.setAttribute("role", this.found.size ? "group" : "img");
    svg.setAttribute("aria-label", svg.querySelector("title")?.textContent || position.text);
    svg.querySelector("title")?.remove(); // which would follow the mouse about
    this.resize(svg);
    this.svg.replaceWith(svg);
    this.svg = svg;
    decorate(this);
    if (before) glide(this, before.drawn, before.boxes);
  }

  resize(svg) {
    const { width, height } = svg.viewBox.baseVal ?? { width: 0, height: 0 };
    const [wide, high] = width && height ? [width, height] : [300, 300];
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const most = this.spots.length ? LARGEST : LARGEST_TEXT;
    this.frame.style.setProperty("--ratio", wide / high);
    this.frame.style.setProperty("--most", `${most * wide}px`);
  }

  listen(svg) {
    const seen = new Set();
    for (const spot of this.spots) {
      const name = spot.dataset.move;
      const meaning = this.found.get(name);
      if (!meaning) {
        spot.style.pointerEvents = "none";
        continue;
      }
      const worth = this.worthOf(meaning);
      spot.classList.add("spot");
      if (worth) spot.classList.add(worth.outcome);
      if (isClear(spot)) spot.classList.add("clear");
      if (meaning.cancels) spot.classList.add("chosen");
      if (meaning.spelt) spot.classList.add("start");
      spot.addEventListener("click", () => this.act(name));
      spot.addEventListener("pointerenter", () => this.hover(meaning));
      spot.addEventListener("pointerleave", () => this.hover(null));
      if (meaning.spelt) followDrag(this, spot, name);
      if (seen.has(name)) continue; // a column of squares is one move
      spot.setAttribute("tabindex", seen.size ? "-1" : "0");
      seen.add(name);
      spot.setAttribute("role", "button");
      spot.setAttribute("aria-label", this.label(name, meaning, worth));
      if (meaning.cancels) spot.setAttribute("aria-pressed", "true");
      spot.addEventListener("focus", () => {
        for (const each of svg.querySelectorAll("[tabindex]")) each.setAttribute("tabindex", each === spot ? "0" : "-1");
        this.hover(meaning);
      });
      spot.addEventListener("blur", () => this.hover(null));
      spot.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.act(name);
      });
    }
    svg.addEventListener("keydown", (event) => step(event, [...svg.querySelectorAll("[tabindex]")]));
  }

  label(name, meaning, worth) {
    if (meaning.cancels) return `${name}, chosen; press again to cancel`;
    const count = meaning.moves.length;
    const what = meaning.move ? name : `${name}, ${count} ${count === 1 ? "move" : "moves, the best"}`;
    return worth ? `${what}: ${worth.text}` : what;
  }

  worthOf(meaning) {
    return this.view.worth && meaning.moves.length ? this.view.worth(meaning.moves[0]) : null;
  }

  // What a click on the spots of a name does.
  act(name) {
    const meaning = this.found.get(name);
    if (meaning.cancels) this.handlers.cancel();
    else if (meaning.move) this.handlers.play(meaning.move);
    else this.handlers.spell(meaning.spelt, meaning.instead ? [name] : [...this.view.chosen, name]);
  }

  hover(meaning) {
    pointAt(this, meaning?.moves ?? [], meaning);
    this.handlers.hover(meaning?.moves ?? []);
  }

  // The moves that no spot stands for, nor begins.
  elsewhere(moves) {
    const reached = new Set([...this.found.values()].flatMap((meaning) => meaning.moves));
    return moves.filter((move) => !reached.has(move));
  }

  // Show where a move of the list is made.
  point(move) {
    pointAt(this, move ? [move] : []);
  }

  partsOf(move) {
    if (move.odds) return this.names.has(move.name) ? [move.name] : [];
    return partsOf(move.name, this.names);
  }

  // Learn where the spots of a picture are that is not shown, to mark the last move by.
  learn(code, text) {
    const svg = picture(text);
    const hidden = make("div", { class: "unseen" }, svg);
    this.frame.append(hidden);
    lastMove.keep(this.shapes, code, svg);
    hidden.remove();
  }

  // Focus the spot of a name, or the first one.
  focus(name) {
    const spots = [...this.svg.querySelectorAll("[tabindex]")];
    const spot = spots.find((each) => each.dataset.move === name) ?? spots[0];
    spot?.focus({ preventScroll: true });
    return Boolean(spot);
  }
}

// A result of chance is not spelt by clicks: only a spot of its whole name stands for it.
function results(names, moves) {
  const shown = moves.filter((move) => names.includes(move.name));
  return new Map(shown.map((move) => [move.name, { move, moves: [move] }]));
}

// Whether a spot is unseen, to be tinted; a piece that is one itself keeps its look.
function isClear(spot) {
  const fill = spot.style.fill || spot.closest("[fill]")?.getAttribute("fill");
  return fill === "none" || fill === "transparent";
}

// The arrow keys go from spot to spot.
function step(event, places) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  const here = document.activeElement;
  if (!way || !places.includes(here) || !here.matches(":focus-visible")) return;
  event.preventDefault();
  event.stopPropagation();
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(here);
  // The nearest spot, the less so the further it is off the direction of the key. Of two that are
  // equal, as on hexagons, the one from which the opposite key leads back.
  const far = (node) => {
    const [a, b] = middle(node);
    const along = (a - x) * way[0] + (b - y) * way[1];
    const beside = (a - x) * way[1] + (b - y) * way[0];
    if (along <= 1) return Infinity;
    return Math.hypot(along, beside) * (1 + Math.atan2(Math.abs(beside), along)) - beside / 100;
  };
  const next = places.reduce((one, other) => (far(other) < far(one) ? other : one));
  if (far(next) < Infinity) next.focus();
}
