// The two players: their names, and the colours that their pieces have in the pictures.

import { draw, make } from "../page.js";

// Where players are called by colours, they have them.
const COLOURS = { white: "#ffffff", black: "#14161a", red: "#b3262b", blue: "#2f6fb5", orange: "#c2590f" };

export function colourPlayers(players) {
  const [first, second] = players.map((name) => COLOURS[name.toLowerCase()]);
  if (!first || !second || first === second) return;
  // Black or white pieces need a board of neither colour.
  const plain = players.some((name) => /^(white|black)$/i.test(name));
  document.documentElement.classList.toggle("coloured", plain);
  document.documentElement.style.setProperty("--zermelo-first", first);
  document.documentElement.style.setProperty("--zermelo-second", second);
}

// A disc for the first player, a ring for the second, as the pictures draw them.
export function swatch(player) {
  const shape = player === 0 ? draw("circle", { cx: 8, cy: 8, r: 6 }) : draw("circle", { cx: 8, cy: 8, r: 4.5, class: "ring" });
  const rims = player === 0 ? [6.5] : [2, 7];
  return draw(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, class: `swatch player-${player}`, "aria-hidden": "true" },
    shape,
    rims.map((r) => draw("circle", { cx: 8, cy: 8, r, class: "rim" })),
  );
}

export const chip = (players, player) =>
  make("span", { class: "chip" }, swatch(player), make("span", {}, players[player]));
