// Answering from a file what a server would answer: every position is in it, with its moves.

import { lostBy, marginText, percentage, significant } from "../board/values.js";
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
    if (this.about.game.chance) this.about.values = this.about.values.map((value) => expectation(value, this.about.gains));
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
    const [name, key, weight, total, note] = this.about.moves[this.move(edge)];
    const value = this.about.values[this.worthOf(edge)];
    const odds = weight ? { weight, total } : null;
    return { name, key, position: this.code(this.target[edge]), value, odds, note: note ?? "" };
  }

  // The weight of a result of chance, or undefined for a move.
  weight(edge) {
    return this.about.moves[this.move(edge)][2] ?? undefined;
  }

  // Whether chance decides at a position.
  chance(i) {
    return this.degree(i) > 0 && this.weight(this.first[i]) !== undefined;
  }

  // Whose turn it is, as far as the position says.
  mover(i) {
    return this.turn(i) ? this.turn(i) - 1 : null;
  }

  // Whose turn it is at the beginning of a match, if the first player begins.
  player(i) {
    return this.about.game.alternate ? 0 : this.mover(i);
  }

  // Whose turn it is after a move, or a result of chance, of a player.
  next(edge, player) {
    if (!this.about.game.alternate) return this.mover(this.target[edge]);
    return this.weight(edge) === undefined ? 1 - player : player;
  }

  // What a move loses against the best one, whether it may be as good, and the loss in words.
  losing(best, edge) {
    const [value, other] = [best, edge].map((each) => this.about.values[this.worthOf(each)]);
    if (value.bounds) return lossOf(value, other);
    return this.about.losses[`${this.worthOf(best)},${this.worthOf(edge)}`];
  }
}

// A value of a game with chance: its bounds and its text are in the file.
function expectation([lower, upper, text], scored) {
  const outcome = lower > 0 ? "win" : upper < 0 ? "loss" : "draw";
  const probability = scored ? null : [(1 + lower) / 2, (1 + upper) / 2];
  return { outcome, remoteness: null, score: null, nimber: null, infinity: null, bounds: [lower, upper], probability, game: null, text };
}

function lossOf(best, value) {
  const lost = lostBy(best, value);
  if (!lost) return [null, true, ""];
  return ["points", false, best.probability ? `gave away ${significant(50 * lost)} % of a win` : `gave away ${significant(lost)} points on average`];
}

// -- documents --------------------------------------------------------------------------------------

function positionOf(table, i) {
  const moves = table.edges(i).map((edge) => table.option(edge));
  const value = table.about.values[table.value(i)];
  const partizan = table.about.partizan[table.value(i)] ?? null;
  const [position, mover] = [table.code(i), table.mover(i)];
  return { position, mover, ...table.parts(i), over: !moves.length, chance: table.chance(i), value, partizan, moves, more: 0 };
}

function treeOf(table, i) {
  const edges = table.edges(i);
  const moves = edges.slice(0, MOST_BRANCHES).map((edge) => {
    const replies = table.edges(table.target[edge]);
    const shown = replies.slice(0, MOST_REPLIES).map((reply) => table.option(reply));
    const [again, points] = [keepsTurn(table, i, edge), table.about.gains ? pointsOf(table, i, edge) : 0];
    return { ...table.option(edge), again, points, replies: shown, more: Math.max(0, replies.length - MOST_REPLIES) };
  });
  return { position: table.code(i), moves, more: Math.max(0, edges.length - MOST_BRANCHES) };
}

const keepsTurn = (table, i, edge) => table.next(edge, table.player(i)) === table.player(i);

// The points that a move makes.
function pointsOf(table, i, edge) {
  const [value, after] = [table.worthOf(edge), table.value(table.target[edge])].map((number) => table.about.values[number]);
  const sign = keepsTurn(table, i, edge) ? 1 : -1;
  if (!value.bounds) return value.score - sign * after.score;
  const middle = ({ bounds }) => (bounds[0] + bounds[1]) / 2;
  return Math.round(middle(value) - sign * middle(after));
}

// The first move, which is the best; or the first of the likeliest results of chance.
function followed(table, i) {
  return table.edges(i).reduce((one, other) => (table.weight(other) > table.weight(one) ? other : one));
}

function lineOf(table, i) {
  const found = { position: table.code(i), moves: [], keys: [], positions: [], ends: "cut" };
  const seen = new Set([i]);
  let isCertain = true; // whether chance has not decided along the line
  for (let ply = 0; ply < LONGEST_LINE; ply += 1) {
    if (!table.degree(i)) return { ...found, ends: "terminal" };
    const edge = followed(table, i);
    const { name, key, position } = table.option(edge);
    if (table.chance(i)) isCertain = false;
    i = table.target[edge];
    found.moves.push(name);
    found.keys.push(key);
    found.positions.push(position);
    if (seen.has(i)) return { ...found, ends: isCertain ? "repeats" : "cut" };
    seen.add(i);
  }
  return table.degree(i) ? found : { ...found, ends: "terminal" };
}

function standing(table, i, ply, player, points) {
  const value = table.about.values[table.value(i)];
  const place = { ply, position: table.code(i), remoteness: value.remoteness };
  if (value.bounds) return { ...place, ...prospectsOf(table, value, points, player, !table.degree(i)) };
  const told = table.about.endings[`${table.value(i)},${points}`];
  const [ahead, ...texts] = told ?? [Math.sign(points + value.score), value.text, value.text];
  return {
    ...place,
    favours: ahead === 0 ? null : ahead > 0 ? player : 1 - player,
    margin: value.score === null ? null : player === 0 ? ahead : -ahead,
    probability: null,
    text: texts[player],
  };
}

// As chance.py has it.
function prospectsOf(table, value, points, player, over) {
  const { gains: scored, wins } = table.about;
  let [lower, upper] = value.bounds.map((bound) => bound + (scored ? points : 0));
  if (player) [lower, upper] = [-upper, -lower];
  const favours = lower > 0 ? 0 : upper < 0 ? 1 : null;
  const middle = (lower + upper) / 2;
  const found = { favours, probability: scored ? null : (1 + middle) / 2, margin: scored ? middle : null };
  if (favours === null) return { ...found, text: over ? "a draw" : "even chances" };
  const bounds = favours === 0 ? [lower, upper] : [-upper, -lower];
  if (scored) return { ...found, text: `${wins[favours]} by ${marginText(...bounds)}${over ? "" : " points on average"}` };
  return { ...found, text: over ? wins[favours] : `${wins[favours]} with probability ${percentage(...bounds)} %` };
}

// The move of a key; another way to write it is found as the server finds it.
function edgeOf(table, i, key) {
  const wanted = key.trim().toLowerCase();
  const edges = table.edges(i);
  const written = (edge) => table.about.moves[table.move(edge)].slice(0, 2).map((each) => each.toLowerCase());
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
  let player = table.player(i) ^ turned;
  const stand = () => standing(table, i, plies.length, player, points[player] - points[1 - player]);
  const found = { start: table.code(i), mover: player, mover_known: first !== null, players };
  for (const key of move ?? []) {
    course.push(stand());
    const edge = edgeOf(table, i, key);
    const best = table.first[i];
    const { name, key: own, odds } = table.option(edge);
    const [lost, , mistake] = odds ? [null, false, ""] : table.losing(best, edge);
    const good = odds ? [] : table.edges(i).filter((each) => table.losing(best, each)[1]);
    const names = good.map((each) => table.option(each).name);
    if (table.about.gains) points[player] += pointsOf(table, i, edge);
    plies.push({ ply: plies.length + 1, player, name, key: own, position: table.code(i), lost, mistake, best: names, odds });
    player = table.next(edge, player);
    i = table.target[edge];
  }
  const now = stand();
  const over = !table.degree(i);
  const winner = over && now.favours !== null ? players[now.favours] : null;
  const final = table.about.values[table.value(i)];
  const last = !over || !table.about.gains ? 0 : final.bounds ? final.bounds[0] : final.score;
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
  if (!edges.length || table.chance(i)) return null;
  // In a game with chance the others are only known to be as good within their bounds.
  const good = table.about.game.chance ? edges.slice(0, 1) : edges.filter((edge) => table.losing(edges[0], edge)[1]);
  const among = random() * 100 >= skill ? edges : good;
  return table.option(anyOf(among, random));
}

function rollOf(table, i, random) {
  return table.chance(i) ? table.option(anyFace(table, table.edges(i), random)) : null;
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
const CLEAR = 0.02; // what the second best move of a puzzle gives away at least

const anyOf = (list, random) => list[Math.floor(random() * list.length)];

// A result of chance, by its weight.
function anyFace(table, edges, random) {
  const total = edges.reduce((sum, edge) => sum + table.weight(edge), 0);
  let left = random() * total;
  return edges.find((edge) => (left -= table.weight(edge)) < 0) ?? edges.at(-1);
}

// The positions of a match at random, in which a best move is made now and then.
function walked(table, careful, random) {
  const { start } = table.about.game;
  let [i, mover] = [table.number(start), table.player(table.number(start))];
  const found = [];
  while (table.degree(i) && found.length < LONGEST_WALK) {
    found.push({ i, mover });
    const edges = table.edges(i);
    const good = () => (random() < careful ? edges.filter((edge) => table.losing(edges[0], edge)[1]) : edges);
    const edge = table.chance(i) ? anyFace(table, edges, random) : anyOf(good(), random);
    mover = table.next(edge, mover);
    i = table.target[edge];
  }
  return found;
}

// What the only right move keeps, or null where there are others.
function goalOf(table, i) {
  const edges = table.edges(i);
  if (edges.length < FEWEST || table.chance(i)) return null;
  const [first, second] = edges.slice(0, 2).map((edge) => table.about.values[table.worthOf(edge)]);
  if (first.bounds && lostBy(first, second) < CLEAR) return null;
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
    roll: at((_, i) => rollOf(table, i, random)),
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
