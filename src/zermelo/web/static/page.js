// Small things: finding and making elements, and remembering what was chosen.

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

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What was chosen for a game, kept for this tab, so that a reload does not lose it. A browser may
// keep nothing.
export function remembered(game) {
  try {
    return JSON.parse(sessionStorage.getItem(`zermelo ${game}`)) ?? {};
  } catch {
    return {};
  }
}

export function remember(game, choices) {
  try {
    sessionStorage.setItem(`zermelo ${game}`, JSON.stringify(choices));
  } catch {
    // then a reload forgets them
  }
}
