// Reads portable tables of Zermelo: the value of every position of a solved game.
//
//   import { decompress } from "fzstd"; // or zstdDecompressSync of node:zlib, from Node 22.15 on
//   import { Table } from "./zermelo_reader.js";
//
//   const table = new Table(new Uint8Array(await response.arrayBuffer()), decompress);
//   table.header.start;                   // a position, such as { mine: 0, theirs: 0 }
//   table.probe({ mine: 0, theirs: 0 });  // its value: { outcome: "draw", remoteness: 9, … }
//
// `zermelo export GAME --portable FILE` writes them. A table does not say which moves there are.
// Checksums are compared first. Blocks are decompressed when they are needed, and stay in memory.

const [LAST, TIES, UNTIMED, QUARTER] = [2 ** 31 - 1, 2 ** 30, 2 ** 29, 2 ** 28];

export class Table {
  // bytes: the file, a Uint8Array. decompress: gives what a Zstandard frame holds.
  constructor(bytes, decompress) {
    const line = new TextDecoder().decode(bytes.subarray(0, 61));
    const [, format, size, checksum] = /^ZERMELO-TABLE (\d{4}) (\d{8}) (\w{32})\n$/.exec(line) ?? [];
    check(checksum, "this is not a table of Zermelo");
    check(format === "0007", `this table has the format ${format}, and 0007 is read; write it again`);
    let at = 61 + Number(size);
    const text = bytes.subarray(61, at);
    check(blake2b([...bytes.subarray(0, 28), ...text]) === checksum, "the header is damaged; copy the file again");
    this.header = parsed(new TextDecoder().decode(text));
    const { table, directory } = this.header;
    check(table.kind === "listed" && table.chunks, "this table is not portable; use zermelo export --portable");
    const entries = bytes.subarray(directory.at);
    check(blake2b(entries) === directory.checksum, "the directory is damaged; copy the file again");
    const sizes = new Uint32Array(Uint8Array.from(entries).buffer);
    this.blocks = Array.from({ length: directory.blocks }, (_, n) => {
      const [stored, raw, crc] = sizes.subarray(3 * n);
      return { raw, crc, stored: bytes.subarray(at, (at += stored)) };
    });
    this.decompress = decompress;
    const fold = ([mask, by], n) => [BigInt(`0x${mask}`) << BigInt(64 * (table.words - 1 - n)), BigInt(by)];
    this.folds = table.folds.map(fold);
    const varying = BigInt(`0x${table.varying.join("")}`);
    this.fixed = ~varying;
    this.places = [...Array(64 * table.words).keys()].map(BigInt).filter((place) => (varying >> place) & 1n);
    this.first = this.longs("first", table.words);
    this.begins = this.first.map((position) => this.number(position));
    this.images = this.longs("images", 1);
  }

  // The value of a position for the player to move, or null where the table does not have it.
  // position: a number, an array of numbers in the order of header.fields, or an object with the
  // keys of header.start. Numbers past 2 ** 53 have to be BigInt.
  probe(position) {
    const { start, fields, table } = this.header;
    const named = typeof position === "object" && !Array.isArray(position);
    const numbers = [named ? Object.keys(start).map((key) => position[key]) : position].flat(Infinity);
    check(numbers.length === fields.length, `a position has ${fields.length} numbers, not ${numbers.length}`);
    const words = Array(table.words).fill(0n);
    fields.forEach(({ name, low, bits, word, shift }, i) => {
      const raw = BigInt(numbers[i]) - BigInt(low);
      const fits = bits === 64 ? BigInt.asIntN(64, raw) === raw : BigInt.asUintN(bits, raw) === raw;
      check(fits, `${name} = ${numbers[i]} is out of range; it has ${bits} bits, from ${low} on`);
      words[word] |= BigInt.asUintN(bits, raw) << BigInt(shift);
    });
    let whole = this.canonical(words);
    for (const [mask, by] of this.folds) whole ^= (whole & mask) << by;
    if ((whole ^ this.first[0]) & this.fixed) return null;
    const number = this.number(whole);
    const block = before(this.begins, number);
    if (block < 0) return null;
    const at = before(this.numbers(block), number);
    return this.numbers(block)[at] === number ? this.value(block, at) : null;
  }

  // Of all that symmetries make of a position, the least, as one number.
  canonical(words) {
    const { symmetries, table } = this.header;
    const images = Array.from({ length: table.chunks.length ? symmetries : 1 }, () => [...words]);
    let at = 0;
    for (const [word, shift, bits] of table.chunks) {
      const value = BigInt.asUintN(bits, words[word] >> BigInt(shift));
      images.forEach((image, g) => {
        image[word] ^= value << BigInt(shift);
        image.forEach((_, w) => (image[w] ^= this.images[at + (Number(value) * table.words + w) * symmetries + g]));
      });
      at += 2 ** bits * table.words * symmetries;
    }
    return images.map(joined).reduce((least, image) => (image < least ? image : least));
  }

  // The number that the bits of a position make that vary, moved together.
  number(position) {
    return this.places.reduce((number, place, n) => number | (((position >> place) & 1n) << BigInt(n)), 0n);
  }

  // The numbers of the positions in a block, ascending.
  numbers(block) {
    const here = this.block("positions", block);
    if (here.numbers) return here.numbers;
    const count = Math.min(1024, this.header.table.positions - 1024 * block);
    const found = Array(count).fill(0n);
    here.bytes.forEach((byte, k) => (found[k % count] += BigInt(byte) << BigInt(8 * Math.floor(k / count))));
    found[0] = this.begins[block];
    for (let i = 1; i < count; i += 1) found[i] += found[i - 1];
    return (here.numbers = found);
  }

  // The value of one of the positions in a block.
  value(block, at) {
    const { palette, turns, value_kind: kind } = this.header.table;
    const size = Number(this.header.arrays.values.dtype.slice(2));
    const bytes = this.block("values", block).bytes.subarray(at * size, (at + 1) * size);
    const place = Math.floor(bytes.reduceRight((number, byte) => 256 * number + byte, 0) / (turns ? 2 : 1));
    return valueOf(Array.isArray(palette) ? palette[place] : BigInt(palette.least) + BigInt(place), kind);
  }

  // A block of an array, decompressed.
  block(name, n) {
    const here = this.blocks[this.header.arrays[name].first + n];
    if (here.bytes) return here;
    check(crc32(here.stored) === here.crc, "a block is damaged; copy the file again");
    here.bytes = this.decompress(here.stored);
    check(here.bytes.length === here.raw, "a block cannot be decompressed");
    return here;
  }

  // A whole array of numbers of as many words of 64 bits.
  longs(name, words) {
    const blocks = Array.from({ length: this.header.arrays[name].blocks }, (_, n) => this.block(name, n));
    const all = blocks.flatMap(({ bytes }) => [...new BigUint64Array(Uint8Array.from(bytes).buffer)]);
    return Array.from({ length: all.length / words }, (_, n) => joined(all.slice(n * words, (n + 1) * words)));
  }
}

// What a code stands for; null for what this kind of value does not have.
function valueOf(code, kind) {
  const value = { outcome: null, remoteness: null, score: null, nimber: null, infinity: null };
  let sign = Math.sign(Number(code));
  if (kind.startsWith("score")) {
    value.score = kind === "score" ? Number(code) : Number(BigInt(code) >> 30n);
    const low = kind === "score" ? QUARTER : Number(BigInt.asUintN(30, BigInt(code)));
    if (low !== QUARTER) value.remoteness = low < QUARTER ? low : (low <= 2 * QUARTER ? 2 * QUARTER : TIES - 1) - low;
    sign = Math.sign(value.score);
  } else if (kind === "nimber") {
    if (code < 0) value.infinity = [...Array(31).keys()].filter((n) => ((-1 - code) >> n) & 1);
    else value.nimber = code;
    sign = code < 0 ? Number(value.infinity.includes(0)) : Math.sign(code) || -1;
  } else if (Math.abs(code) > TIES) {
    if (Math.abs(code) !== LAST - UNTIMED) value.remoteness = LAST - Math.abs(code);
  } else {
    if (code) value.remoteness = (code > UNTIMED ? TIES : UNTIMED) - Math.abs(code);
    sign = 0;
  }
  return { ...value, outcome: ["loss", "draw", "win"][sign + 1] };
}

// A header, in which whole numbers past 2 ** 53 become BigInt.
function parsed(text) {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const large = (token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
  const marked = text.replace(tokens, (token) => (large(token) ? `"\\u0000${token}"` : token));
  const read = (_, item) => (typeof item === "string" && item[0] === "\0" ? BigInt(item.slice(1)) : item);
  return JSON.parse(marked, read);
}

const rotated = (word, by) => (word >> by) | (word << (64n - by));
const joined = (words) => words.reduce((whole, word) => (whole << 64n) | word, 0n);
const check = (right, message) => {
  if (!right) throw new Error(message);
};

// The place of the last of some ascending numbers that is not greater than one, or -1.
function before(numbers, wanted) {
  let [low, high] = [-1, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    [low, high] = numbers[middle] <= wanted ? [middle, high] : [low, middle];
  }
  return low;
}

// The checksum of a block: CRC-32.
function crc32(bytes) {
  const shifted = (crc) => (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  return ~bytes.reduce((crc, byte) => [1, 2, 3, 4, 5, 6, 7, 8].reduce(shifted, crc ^ byte), -1) >>> 0;
}

// The checksum of a header or a directory: BLAKE2b (RFC 7693) with 16 bytes, in hexadecimal digits.
const IV = [0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n]
  .concat([0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n]);
const ORDER = "0123456789abcdefea489fd61c02b753b8c052fdae3671947931dcbe265a40f8905724afe1bc683d" +
  "2c6a0b834d75fe19c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5a2847615fb9e3cd0";

function blake2b(bytes) {
  const h = BigUint64Array.of(IV[0] ^ 0x01010010n, ...IV.slice(1));
  for (let at = 0; at === 0 || at < bytes.length; at += 128) {
    const block = new Uint8Array(128);
    block.set(bytes.slice(at, at + 128));
    const [m, v] = [new BigUint64Array(block.buffer), BigUint64Array.of(...h, ...IV)];
    v[12] ^= BigInt(Math.min(at + 128, bytes.length));
    if (at + 128 >= bytes.length) v[14] = ~v[14];
    for (let step = 0; step < 192; step += 1) {
      const [i, late] = [(step >> 1) % 8, step % 2];
      const [a, b, c, d] = [0, 1, 2, 3].map((n) => 4 * n + ((i + n * (i >> 2)) % 4));
      v[a] += v[b] + m[parseInt(ORDER[step % 160], 16)];
      v[d] = rotated(v[d] ^ v[a], late ? 16n : 32n);
      v[c] += v[d];
      v[b] = rotated(v[b] ^ v[c], late ? 63n : 24n);
    }
    h.forEach((_, i) => (h[i] ^= v[i] ^ v[i + 8]));
  }
  return [...new Uint8Array(h.buffer, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
