// Drawing a graph: click to add nodes, from node to node to join them, drag to move, and delete.
//
// With the mouse or a finger: a click on nothing adds a node; a click on a node chooses it, and
// then one on another node joins the two, or parts them; a click on an edge chooses the edge. With
// the keyboard: Enter on a node does what a click does, the arrow keys move it, n adds a node.

import { draw, make } from "../page.js";

// On a phone the picture is narrower, so that nodes are large enough for a finger.
const [WIDE, HIGH] = window.innerWidth < 480 ? [380, 400] : [600, 400];
const RADIUS = 17;
const MOST = 60; // nodes that can be drawn
const FAR = 6; // a press that moves less than this is a click
const STEP = 12; // of an arrow key

// Places as the server has them, from 0 to 1, in the middle of the picture.
function scaled(places) {
  const most = (axis) => Math.max(0.01, ...places.map((place) => place[axis]));
  const size = Math.min((WIDE - 120) / most(0), (HIGH - 90) / most(1));
  const [left, top] = [(WIDE - size * most(0)) / 2, (HIGH - 10 - size * most(1)) / 2];
  return places.map(([x, y]) => inside({ x: left + size * x, y: top + size * y }));
}

const inside = ({ x, y }) => ({
  x: Math.min(WIDE - 30, Math.max(30, x)),
  y: Math.min(HIGH - 34, Math.max(26, y)),
});

export function editGraph(place, { directed, tags, onchange }) {
  let rows = [];
  let at = [];
  let arranged = null; // places that suit the graph as it was sent last
  let chosen = null; // a node's number, or an edge as [from, to]
  const past = [];

  const button = (text, onclick) => make("button", { type: "button", onclick }, text);
  const undo = button("Undo", back);
  const remove = button("Delete", () => drop(chosen));
  const tools = make("div", { class: "tools" }, button("Add a node", () => add()), remove, undo, button("Arrange", arrange));
  const lines = draw("g");
  const dots = draw("g");
  const arrow = draw("path", { d: "M0 0L10 5L0 10z", fill: "context-stroke" });
  const marker = { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" };
  const svg = draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": "The graph" },
    draw("defs", {}, draw("marker", marker, arrow)),
    lines,
    dots,
  );
  const hint = make("p", { class: "hint", role: "status" });
  place.replaceChildren(make("div", { class: "editor" }, tools, svg, hint));

  // -- changing -------------------------------------------------------------------------------------

  function remember() {
    past.push({ rows: rows.map((row) => [...row]), at: at.map((node) => ({ ...node })) });
    if (past.length > 100) past.shift();
  }

  function back() {
    if (!past.length) return;
    ({ rows, at } = past.pop());
    choose(null);
    changed();
  }

  function changed() {
    redraw();
    onchange(rows);
  }

  function add(where) {
    if (rows.length >= MOST) return say(`${MOST} nodes are the most that can be drawn here.`);
    remember();
    at.push(inside(where ?? free()));
    rows.push([]);
    const from = typeof chosen === "number" ? chosen : null;
    if (from !== null) join(from, rows.length - 1);
    choose(null);
    say(`Node ${rows.length - 1} is new${from === null ? "" : `, and joined to node ${from}`}.`);
    changed();
    dots.lastElementChild.focus();
  }

  // A place where no node is near.
  function free() {
    let best = { x: WIDE / 2, y: HIGH / 2, far: -1 };
    for (let x = 60; x < WIDE; x += 60) {
      for (let y = 50; y < HIGH; y += 50) {
        const far = Math.min(...at.map((node) => Math.hypot(node.x - x, node.y - y)), 120);
        if (far > best.far) best = { x, y, far };
      }
    }
    return best;
  }

  function join(from, to) {
    const both = directed() ? [[from, to]] : [[from, to], [to, from]];
    const parts = rows[from].includes(to);
    for (const [one, other] of both) {
      rows[one] = rows[one].filter((each) => each !== other);
      if (!parts) rows[one] = [...rows[one], other].sort((a, b) => a - b);
    }
    return parts;
  }

  function drop(what) {
    if (what === null) return say("Choose a node or an edge first.");
    remember();
    if (typeof what === "number") {
      const left = (node) => node - (node > what);
      rows = rows.filter((_, i) => i !== what).map((row) => row.filter((node) => node !== what).map(left));
      at = at.filter((_, i) => i !== what);
    } else join(...what);
    choose(null);
    changed();
  }

  function arrange() {
    if (arranged?.length !== rows.length) return;
    remember();
    at = scaled(arranged);
    redraw();
  }

  // -- choosing -------------------------------------------------------------------------------------

  function choose(what) {
    chosen = what;
    if (what === null) say("Click an empty place to add a node, or a node to choose it. Drag to move.");
    else if (typeof what === "number") say(`Node ${what} is chosen. Click another node to join or part them, or an empty place for a new neighbour.`);
    else say(`The edge ${what.join("–")} is chosen. Delete removes it.`);
  }

  function press(node) {
    if (typeof chosen === "number" && chosen !== node) {
      remember();
      const [from, parted] = [chosen, join(chosen, node)];
      choose(null);
      say(`Node ${from} and node ${node} are ${parted ? "parted" : "joined"}.`);
      changed();
    } else {
      choose(chosen === node ? null : node);
      redraw();
    }
  }

  function say(text) {
    hint.textContent = text;
  }

  // -- drawing --------------------------------------------------------------------------------------

  function edges() {
    const found = [];
    rows.forEach((row, from) => {
      for (const to of row) {
        const bothWays = rows[to]?.includes(from);
        if (to < rows.length && (directed() || from < to || !bothWays)) found.push([from, to]);
      }
    });
    return found;
  }

  function edgeOf([from, to]) {
    const [a, b] = [at[from], at[to]];
    const far = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
    const short = directed() ? (RADIUS + 3) / far : 0;
    const end = { x: b.x - (b.x - a.x) * short, y: b.y - (b.y - a.y) * short };
    const ends = { x1: a.x, y1: a.y, x2: end.x, y2: end.y };
    const same = Array.isArray(chosen) && chosen[0] === from && chosen[1] === to;
    const hit = draw("line", { ...ends, class: "edge-hit" });
    const line = draw("line", { ...ends, class: "edge", "marker-end": directed() ? "url(#arrow)" : null });
    const group = draw("g", { class: `edge-of${same ? " chosen" : ""}`, "data-edge": `${from}-${to}` }, line, hit);
    hit.addEventListener("pointerdown", () => {
      choose(same ? null : [from, to]);
      redraw();
    });
    return group;
  }

  function nodeOf(node) {
    const told = tags().get(node) ?? [];
    const { x, y } = at[node];
    const joined = rows[node].length ? `joined to ${rows[node].join(", ")}` : "joined to nothing";
    const group = draw(
      "g",
      {
        class: `node${node === chosen ? " chosen" : ""}${told.length ? " tagged" : ""}`,
        transform: `translate(${x} ${y})`,
        tabindex: 0,
        role: "button",
        "aria-pressed": String(node === chosen),
        "aria-label": `Node ${node}${told.length ? `, ${told.join(" and ")}` : ""}, ${joined}`,
        "data-node": node,
      },
      draw("circle", { r: RADIUS }),
      draw("text", { class: "number", dy: ".35em" }, node),
      told.length ? draw("text", { class: "tag", y: RADIUS + 14 }, told.join(", ")) : null,
    );
    group.addEventListener("pointerdown", (event) => grab(event, node));
    group.addEventListener("keydown", (event) => typed(event, node));
    return group;
  }

  function redraw() {
    const held = dots.contains(document.activeElement) ? Number(document.activeElement.dataset.node) : null;
    lines.replaceChildren(...edges().map(edgeOf));
    dots.replaceChildren(...rows.map((_, node) => nodeOf(node)));
    if (held !== null && rows.length) dots.children[Math.min(held, rows.length - 1)].focus({ preventScroll: true });
    remove.disabled = chosen === null;
    undo.disabled = !past.length;
  }

  // -- the mouse, the finger, the keys ----------------------------------------------------------------

  function pointOf(event) {
    const box = svg.getBoundingClientRect();
    return { x: ((event.clientX - box.left) * WIDE) / box.width, y: ((event.clientY - box.top) * HIGH) / box.height };
  }

  let moved = null; // { node, from, dragged }
  let pressed = null; // where nothing was

  function grab(event, node) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    dots.children[node].focus({ preventScroll: true });
    moved = { node, from: pointOf(event), dragged: false };
    svg.setPointerCapture(event.pointerId);
  }

  svg.addEventListener("pointermove", (event) => {
    if (!moved) return;
    const here = pointOf(event);
    if (!moved.dragged && Math.hypot(here.x - moved.from.x, here.y - moved.from.y) < FAR) return;
    if (!moved.dragged) remember();
    moved.dragged = true;
    at[moved.node] = inside(here);
    redraw();
  });

  svg.addEventListener("pointerup", (event) => {
    const [ended, begun] = [moved, pressed];
    moved = pressed = null;
    if (ended && !ended.dragged) press(ended.node);
    const here = pointOf(event);
    if (begun && Math.hypot(here.x - begun.x, here.y - begun.y) < FAR) add(here);
  });

  svg.addEventListener("pointercancel", () => {
    moved = pressed = null;
  });

  svg.addEventListener("pointerdown", (event) => {
    if (event.target === svg && !event.button) pressed = pointOf(event);
  });

  function typed(event, node) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      remember();
      at[node] = inside({ x: at[node].x + STEP * way[0], y: at[node].y + STEP * way[1] });
      redraw();
    } else if (event.key === "Enter" || event.key === " ") press(node);
    else if (event.key === "Delete" || event.key === "Backspace") drop(node);
    else if (event.key === "n") add();
    else if (event.key === "Escape") {
      choose(null);
      redraw();
    } else return;
    event.preventDefault();
  }

  choose(null);
  return {
    redraw,
    // Show a graph; nodes stay where they are as long as there are as many.
    show(graph) {
      place.hidden = !graph;
      if (!graph) return;
      arranged = graph.places;
      if (JSON.stringify(graph.rows) === JSON.stringify(rows)) return;
      rows = graph.rows.map((row) => [...row]);
      if (at.length !== rows.length) at = scaled(arranged);
      choose(null);
      redraw();
    },
  };
}
