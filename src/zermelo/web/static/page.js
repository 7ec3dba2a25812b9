// Small things: making elements, and marks that say what something is worth.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export const make = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

export const draw = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

// What is written on a mark: a sign for the outcome, and the distance; or the score, or the nimber.
export function sign(value) {
  if (value.score !== null) return value.score > 0 ? `+${value.score}` : String(value.score).replace("-", "−");
  const outcome = { win: "+", draw: "=", loss: "−" }[value.outcome];
  if (Number.isInteger(value.nimber)) return `${outcome}*${value.nimber}`;
  if (Array.isArray(value.infinity)) return `${outcome}∞${value.infinity.join(",")}`;
  return outcome + (value.remoteness === null ? (value.outcome === "draw" ? "∞" : "") : value.remoteness);
}

// A mark: green and round for a win, yellow and square for a draw, red and pointed for a loss.
export function mark(value, x = 0, y = 0) {
  const text = sign(value);
  const wide = 12 + 7.5 * text.length;
  const [left, top, high] = [x - wide / 2, y - 9, 18];
  const shape = {
    win: () => draw("rect", { x: left, y: top, width: wide, height: high, rx: 9 }),
    draw: () => draw("rect", { x: left, y: top, width: wide, height: high }),
    loss: () => {
      const [a, b] = [left + wide, y];
      return draw("polygon", {
        points: `${left},${b} ${left + 6},${top} ${a - 6},${top} ${a},${b} ${a - 6},${top + high} ${left + 6},${top + high}`,
      });
    },
  }[value.outcome]();
  const label = draw("text", { x, y, dy: ".35em", "text-anchor": "middle", "font-size": 12 }, text);
  return draw("g", { class: `mark ${value.outcome}`, "aria-hidden": "true" }, shape, label);
}

// The same as a picture of its own, to stand in text.
export function badge(value) {
  const wide = 12 + 7.5 * sign(value).length;
  const size = { viewBox: `${-wide / 2} -9 ${wide} 18`, width: wide, height: 18 };
  return draw("svg", { ...size, class: "badge worth", "aria-hidden": "true" }, mark(value));
}
