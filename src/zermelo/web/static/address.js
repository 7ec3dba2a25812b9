// The address of the page: where the match began, who began it, and its moves.

const LONGEST = 6000; // characters; of a longer match the beginning is forgotten

export function addressed() {
  const words = new URLSearchParams(location.search);
  return { from: words.get("from"), mover: words.get("mover"), move: words.getAll("move") };
}

// What is neither of the match nor of the position, such as how a page is embedded, stays.
export function addressOf({ from, mover, move }) {
  const words = new URLSearchParams(location.search);
  for (const name of ["from", "mover", "move"]) words.delete(name);
  if (from) words.append("from", from);
  if (from && mover !== null && mover !== undefined) words.append("mover", mover);
  for (const each of move) words.append("move", each);
  return words.size ? `?${words}` : location.pathname;
}

export const tooLong = (place) => addressOf(place).length > LONGEST;
