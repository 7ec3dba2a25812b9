// Names of moves that are spelt by clicks: b2-c3xa1 is a click on b2, one on c3 and one on a1.

// What stands between the parts of a name, and is not clicked.
const BETWEEN = /^ ?[-–×x:,→] ?/;

// How far a click takes a name: the name as far as it is spelt then, or null if it is not in it.
function spelling(name, spelt, part) {
  if (!name.startsWith(spelt)) return null;
  const between = spelt ? (BETWEEN.exec(name.slice(spelt.length))?.[0] ?? "") : "";
  return [spelt + part, spelt + between + part].find((begun) => name.startsWith(begun)) ?? null;
}

// Whether a name goes on with another part, and not within a number.
const breaks = (name, begun) => !/\d$/.test(begun) || !/^\d/.test(name.slice(begun.length));

// What a click on each part does: { move } makes it, { spelt } waits for another click. `moves` are
// those that it may lead to, in their order.
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
    if (exact) found.set(part, { move: exact, moves: [exact] });
    else if (rest.length) found.set(part, { spelt: those.get(rest[0]), moves: rest });
  }
  return found;
}

// The parts that a name is spelt by, as far as they are in the picture.
export function partsOf(name, names, spelt = "") {
  if (names.has(name) && !spelt) return [name];
  let longest = [];
  for (const part of names) {
    const begun = part && spelling(name, spelt, part);
    if (!begun || begun === spelt || (begun !== name && !breaks(name, begun))) continue;
    const parts = [part, ...(begun === name ? [] : partsOf(name, names, begun))];
    const length = (list) => list.join("").length;
    if (length(parts) > length(longest)) longest = parts;
  }
  return longest;
}
