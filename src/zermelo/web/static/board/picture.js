// A game's own picture, made harmless: it runs nothing and loads nothing.

import { draw } from "../page.js";

// Take from a tag, before it is read, what a browser complains of as soon as it is read.
function tamed(tag) {
  return tag
    .replace(/^<(\/?)style\b/, "<$1desc")
    .replace(/\s([^\s=<>"'/]+)(\s*=\s*(?:"[^"]*"|'[^']*'))/g, (whole, name, value) => {
      if (/^on/i.test(name)) return "";
      return name === "style" ? ` data-style${value}` : whole;
    });
}

// Read a picture. Its styles are set one by one, as inline ones are not let in.
export function picture(text) {
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
