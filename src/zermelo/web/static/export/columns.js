// Columns of small whole numbers, as zermelo/web/export/columns.py packs them.

function byteOf([sort, where, table], body) {
  if (sort === "c") return () => where;
  if (sort === "f") return (row) => table[body[where + row]];
  return (row) => body[where + row];
}

// A column as a function from a row to its number.
export function column(described, body) {
  const bytes = described.map((each) => byteOf(each, body));
  if (bytes.length === 1) return bytes[0];
  return (row) => bytes.reduceRight((sum, byte) => sum * 256 + byte(row), 0);
}

// The same for numbers of up to 64 bits, as they are written.
export function wideColumn(described, body, signed) {
  if (described.length < 7) return column(described, body);
  const bytes = described.map((each) => byteOf(each, body));
  return (row) => {
    const number = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte(row)), 0n);
    return signed ? BigInt.asIntN(64, number) : number;
  };
}
