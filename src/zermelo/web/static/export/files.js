// Answering from a file what a server would answer: every position is in it, with its moves.

import { column, wideColumn } from "./columns.js";

const MOST_BRANCHES = 60; // as the server has it
const MOST_REPLIES = 40;
const LONGEST_LINE = 200;
const BETWEEN = "\u001e";
const GZIP = [0x1f, 0x8b];

async function unpacked(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!GZIP.every((byte, i) => bytes[i] === byte)) return bytes; // the host has done it
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is missing; copy the whole folder`);
  return unpacked(response);
}

// The solved game: positions by number.
export class Table {
  constructor(bytes) {
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.about = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
    const body = bytes.subarray(4 + size);
    const { columns, edge, shapes, positions } = this.about;
    [this.shape, this.degree, this.turn] = columns.map((each) => column(each, body));
    [this.move, this.step, this.worth] = edge.map((each) => column(each, body));
    this.shapes = shapes.map((shape) => ({
      text: shape.text,
      alphabets: shape.alphabets,
      tokens: shape.tokens.map((each) => column(each, body)),
      code: shape.code.map((each, i) => wideColumn(each, body, shape.signed[i])),
      worth: column(shape.worth, body),
    }));
    this.row = new Uint32Array(positions); // within its shape
    this.first = new Uint32Array(positions + 1); // of its moves
    const filled = shapes.map(() => 0);
    for (let i = 0; i < positions; i += 1) {
      this.row[i] = filled[this.shape(i)]++;
      this.first[i + 1] = this.first[i] + this.degree(i);
    }
    this.targets();
  }

  targets() {
    this.target = new Uint32Array(this.about.edges);
    let seen = 0;
    for (let i = 0; i < this.row.length; i += 1) {
      if (i > seen) seen = i;
      for (let edge = this.first[i]; edge < this.first[i + 1]; edge += 1) {
        this.target[edge] = seen + 1 - this.step(edge);
        if (this.target[edge] > seen) seen = this.target[edge];
      }
    }
  }

  code(i) {
    const row = this.row[i];
    return this.shapes[this.shape(i)].code.map((number) => number(row)).join(",");
  }

  value(i) {
    return this.shapes[this.shape(i)].worth(this.row[i]);
  }

  worthOf(edge) {
    return this.about.worth ? this.about.worth[this.value(this.target[edge])] : this.worth(edge);
  }

  parts(i) {
    const { alphabets, tokens, text } = this.shapes[this.shape(i)];
    const row = this.row[i];
    const all = tokens.map((token, at) => this.about.tokens[alphabets[at][token(row)]]);
    return { text: all.slice(0, text).join(""), svg: all.slice(text).join("") };
  }

  text(i) {
    return this.parts(i).text;
  }

  // The position of a code; all codes are read when the first is asked for.
  number(code) {
    if (!this.byCode) {
      this.byCode = new Map();
      for (let i = 0; i < this.row.length; i += 1) this.byCode.set(this.code(i), i);
    }
    const found = this.byCode.get(code);
    if (found === undefined) throw new Error(`there is no position ${code}; go back to the start`);
    return found;
  }

  edges(i) {
    return Array.from({ length: this.degree(i) }, (_, k) => this.first[i] + k);
  }

  option(edge) {
    const [name, key] = this.about.moves[this.move(edge)];
    const value = this.about.values[this.worthOf(edge)];
    return { name, key, position: this.code(this.target[edge]), value };
  }

  // Whose turn it is, as far as the position says.
  mover(i) {
    return this.turn(i) ? this.turn(i) - 1 : null;
  }

  // Whose turn it is after some moves, if the first player began.
  player(i, ply) {
    return this.about.game.alternate ? ply % 2 : this.mover(i);
  }

  losing(best, edge) {
    return this.about.losses[`${this.worthOf(best)},${this.worthOf(edge)}`];
  }
}

// -- documents --------------------------------------------------------------------------------------

function positionOf(table, i) {
  const moves = table.edges(i).map((edge) => table.option(edge));
  const value = table.about.values[table.value(i)];
  const [position, mover] = [table.code(i), table.mover(i)];
  return { position, mover, ...table.parts(i), over: !moves.length, value, moves, more: 0 };
}

function treeOf(table, i) {
  const edges = table.edges(i);
  const moves = edges.slice(0, MOST_BRANCHES).map((edge) => {
    const replies = table.edges(table.target[edge]);
    const shown = replies.slice(0, MOST_REPLIES).map((reply) => table.option(reply));
    const again = !table.about.game.alternate && table.mover(i) === table.mover(table.target[edge]);
    return { ...table.option(edge), again, replies: shown, more: Math.max(0, replies.length - MOST_REPLIES) };
  });
  return { position: table.code(i), moves, more: Math.max(0, edges.length - MOST_BRANCHES) };
}

function lineOf(table, i) {
  const found = { position: table.code(i), moves: [], keys: [], positions: [], ends: "cut" };
  const seen = new Set([i]);
  for (let ply = 0; ply < LONGEST_LINE; ply += 1) {
    if (!table.degree(i)) return { ...found, ends: "terminal" };
    const { name, key, position } = table.option(table.first[i]);
    i = table.target[table.first[i]];
    found.moves.push(name);
    found.keys.push(key);
    found.positions.push(position);
    if (seen.has(i)) return { ...found, ends: "repeats" };
    seen.add(i);
  }
  return table.degree(i) ? found : { ...found, ends: "terminal" };
}

function standing(table, i, ply, player, points) {
  const value = table.about.values[table.value(i)];
  const told = table.about.endings[`${table.value(i)},${points}`];
  const [ahead, ...texts] = told ?? [Math.sign(points + value.score), value.text, value.text];
  return {
    ply,
    position: table.code(i),
    favours: ahead === 0 ? null : ahead > 0 ? player : 1 - player,
    remoteness: value.remoteness,
    margin: value.score === null ? null : player === 0 ? ahead : -ahead,
    text: texts[player],
  };
}

// The move of a key; another way to write it is found as the server finds it.
function edgeOf(table, i, key) {
  const wanted = key.trim().toLowerCase();
  const edges = table.edges(i);
  const written = (edge) => table.about.moves[table.move(edge)].map((each) => each.toLowerCase());
  for (const fits of [(each) => each === wanted, (each) => each.startsWith(wanted)]) {
    const found = edges.filter((edge) => written(edge).some(fits));
    if (found.length === 1) return found[0];
  }
  const listed = edges.slice(0, 12).map((edge) => table.option(edge).name);
  throw new Error(`${key} is not a move here; ${listed.length ? `play ${listed.join(" or ")}` : "the game is over"}`);
}

function matchOf(table, { from, mover, move } = {}) {
  const { players, start, alternate } = table.about.game;
  let i = table.number(from ?? start);
  const first = mover === null || mover === undefined ? table.mover(i) : Number(mover);
  const turned = alternate && first ? 1 : 0;
  const points = [0, 0];
  const [plies, course] = [[], []];
  const stand = () => {
    const player = table.player(i, plies.length) ^ turned;
    return standing(table, i, plies.length, player, points[player] - points[1 - player]);
  };
  const found = { start: table.code(i), mover: table.player(i, 0) ^ turned, mover_known: first !== null, players };
  for (const key of move ?? []) {
    course.push(stand());
    const edge = edgeOf(table, i, key);
    const player = table.player(i, plies.length) ^ turned;
    const [best, next] = [table.first[i], table.target[edge]];
    const [lost, , mistake] = table.losing(best, edge);
    const option = table.option(edge);
    const good = table.edges(i).filter((each) => table.losing(best, each)[1]);
    const names = good.map((each) => table.option(each).name);
    const ply = plies.length + 1;
    if (option.value.score !== null) {
      const same = (table.player(next, ply) ^ turned) === player;
      const gain = option.value.score - (same ? 1 : -1) * table.about.values[table.value(next)].score;
      points[player] += gain;
    }
    const { name, key: own } = option;
    plies.push({ ply, player, name, key: own, position: table.code(i), lost, mistake, best: names });
    i = next;
  }
  const now = stand();
  const over = !table.degree(i);
  const winner = over && now.favours !== null ? players[now.favours] : null;
  const player = table.player(i, plies.length) ^ turned;
  const last = over ? table.about.values[table.value(i)].score : 0;
  points[last > 0 ? player : 1 - player] += Math.abs(last);
  return {
    ...found,
    plies,
    course: [...course, now],
    player,
    points: table.about.gains ? points : null,
    over,
    winner,
    prospects: now.text,
    position: positionOf(table, i),
  };
}

function answerOf(table, i, skill, random) {
  const edges = table.edges(i);
  if (!edges.length) return null;
  const good = edges.filter((edge) => table.losing(edges[0], edge)[1]);
  const among = random() * 100 >= skill ? edges : good;
  return table.option(anyOf(among, random));
}

function readText(table, text) {
  const plain = (each) => each.split(/\s+/).filter(Boolean).join(" ");
  const numbers = text.match(/-?\d+/g)?.join(",");
  if (/^[\s\d,[\]{}":a-z_-]*$/i.test(text) && numbers !== undefined) {
    try {
      return table.number(numbers);
    } catch {
      // it may be words
    }
  }
  // Spaces may matter, so they are dropped only if nothing else fits.
  for (const form of [(each) => each.replace(/\s+$/gm, ""), plain]) {
    const wanted = form(text);
    for (let i = 0; i < table.row.length; i += 1) if (form(table.text(i)) === wanted) return i;
  }
  throw new Error(`${text} is not a position here; write one as the board above it is written`);
}

// -- positions to go to -------------------------------------------------------------------------------

const LONGEST_WALK = 200;
const WALKS = 60; // in which a puzzle is looked for
const FEWEST = 3; // moves that a puzzle has

const anyOf = (list, random) => list[Math.floor(random() * list.length)];

// The positions of a match at random, in which a best move is made now and then.
function walked(table, careful, random) {
  const { start, alternate } = table.about.game;
  let [i, mover] = [table.number(start), table.player(table.number(start), 0)];
  const found = [];
  while (table.degree(i) && found.length < LONGEST_WALK) {
    found.push({ i, mover });
    const edges = table.edges(i);
    const among = random() < careful ? edges.filter((edge) => table.losing(edges[0], edge)[1]) : edges;
    i = table.target[anyOf(among, random)];
    mover = alternate ? 1 - mover : table.mover(i);
  }
  return found;
}

// What the only right move keeps, or null where there are others.
function goalOf(table, i) {
  const edges = table.edges(i);
  if (edges.length < FEWEST) return null;
  const [lost] = table.losing(edges[0], edges[1]);
  if (lost === "points") return lost;
  return lost === "outcome" ? table.about.values[table.worthOf(edges[0])].outcome : null;
}

const placeOf = (table, { i, mover }) => ({ position: table.code(i), mover });

function anywhere(table, random) {
  const found = walked(table, 0, random);
  if (!found.length) return { position: table.about.game.start, mover: 0 };
  return placeOf(table, anyOf(found.length > 1 ? found.slice(1) : found, random));
}

function puzzleOf(table, random) {
  let easy = null;
  for (let walk = 0; walk < WALKS; walk += 1) {
    const found = walked(table, 0.5, random).filter(({ i }) => goalOf(table, i));
    const hard = found.filter(({ i }) => table.degree(table.target[table.first[i]]));
    const chosen = anyOf(hard.length ? hard : found, random);
    if (!chosen) continue;
    const puzzle = { ...placeOf(table, chosen), goal: goalOf(table, chosen.i) };
    if (hard.length) return puzzle;
    easy ??= puzzle;
  }
  return easy;
}

// -- the source -----------------------------------------------------------------------------------------

// What the page asks, as `source` in api.js has it.
export function sourceOf(table, reasonsOf, random = Math.random) {
  const { game, statistics } = table.about;
  const at = (answer) => async (code, ...rest) => answer(table, table.number(code), ...rest);
  return {
    status: async () => ({ state: "ready", game: game.game, title: game.title }),
    game: async () => game,
    statistics: async () => statistics,
    read: async (text) => positionOf(table, readText(table, text)),
    random: async () => anywhere(table, random),
    puzzle: async () => puzzleOf(table, random),
    position: at(positionOf),
    settled: at(positionOf),
    line: at(lineOf),
    tree: at(treeOf),
    explanation: async (code) => ({ position: code, sentences: await reasonsOf(table.number(code)) }),
    answer: at((_, i, skill) => answerOf(table, i, skill, random)),
    match: async (place) => matchOf(table, place),
    jsonOf: () => null,
    documentation: null,
  };
}

// The source of the files at these addresses; there may be none with reasons.
export async function sourceAt(address, reasons) {
  const table = new Table(await load(address));
  let told; // the reasons, which are loaded when the first is asked for
  return sourceOf(table, async (i) => {
    if (!reasons) throw new Error("the reasons are not in these files, as there are too many positions");
    told ??= load(reasons).then((bytes) => new TextDecoder().decode(bytes).split(BETWEEN));
    return (await told)[i].split("\n");
  });
}
