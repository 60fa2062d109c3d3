// A QR code of an address (ISO/IEC 18004): bytes, error correction M, versions 1 to 15.

import { s } from "./dom.js";

const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24]; // codewords of each block, by version
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];
const QUIET = 4; // light modules around the code

// ---- arithmetic in GF(256)

const EXP = [];
const LOG = [];
for (let k = 0, value = 1; k < 255; k += 1) {
  EXP[k] = value;
  LOG[value] = k;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? EXP[(LOG[a] + LOG[b]) % 255] : 0);

function generator(degree) {
  let found = [1];
  for (let k = 0; k < degree; k += 1) {
    const next = [...found, 0];
    found.forEach((factor, at) => {
      next[at + 1] ^= times(factor, EXP[k]);
    });
    found = next;
  }
  return found.slice(1);
}

function remainder(data, divisor) {
  const left = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ left.shift();
    left.push(0);
    divisor.forEach((part, k) => {
      left[k] ^= times(part, factor);
    });
  }
  return left;
}

// ---- from bytes to codewords

/** The modules that carry data and checks, of a version. */
function room(version) {
  const size = 4 * version + 17;
  const marks = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const aligned = marks ? 25 * (marks * marks - 3) - 10 * (marks - 2) : 0;
  return size * size - 192 - 31 - 2 * (size - 16) - aligned - (version > 6 ? 36 : 0);
}

const wordsOf = (version) => (room(version) >> 3) - CHECKS[version - 1] * BLOCKS[version - 1];

function bitsOf(bytes, version) {
  const bits = [];
  const put = (value, length) => {
    for (let k = length - 1; k >= 0; k -= 1) bits.push((value >> k) & 1);
  };
  put(4, 4);
  put(bytes.length, version > 9 ? 16 : 8);
  bytes.forEach((byte) => put(byte, 8));
  const most = 8 * wordsOf(version);
  put(0, Math.min(4, most - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) put(pad, 8);
  return bits;
}

/** The data in blocks with their checks, interleaved. */
function codewords(bytes, version) {
  const bits = bitsOf(bytes, version);
  const data = Array.from({ length: bits.length / 8 }, (_, k) => parseInt(bits.slice(8 * k, 8 * k + 8).join(""), 2));
  const count = BLOCKS[version - 1];
  const divisor = generator(CHECKS[version - 1]);
  const short = Math.floor(data.length / count);
  const blocks = Array.from({ length: count }, (_, k) => data.splice(0, short + (k >= count - (wordsOf(version) % count) ? 1 : 0)));
  const checks = blocks.map((block) => remainder(block, divisor));
  const woven = (parts) => Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, k) => parts.filter((part) => k < part.length).map((part) => part[k])).flat();
  return [...woven(blocks), ...woven(checks)];
}

// ---- the modules

const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

function aligned(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((size - 13) / (2 * count - 2));
  return [6, ...Array.from({ length: count - 1 }, (_, k) => size - 7 - step * (count - 2 - k))];
}

/** A check of a few bits, as for format and version. */
function checked(value, length, divisor) {
  let rest = value;
  for (let k = 0; k < length; k += 1) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor);
  return (value << length) | rest;
}

function frame(version) {
  const size = 4 * version + 17;
  const cells = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) cells[y][x] = dark ? 1 : 0;
  };
  const square = (cx, cy, reach, dark) => {
    for (let dy = -reach; dy <= reach; dy += 1) for (let dx = -reach; dx <= reach; dx += 1) set(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let k = 0; k < size; k += 1) {
    set(6, k, k % 2 === 0);
    set(k, 6, k % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const at = aligned(version, size);
  const last = at.length - 1;
  at.forEach((x, i) => at.forEach((y, j) => {
    if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0))) square(x, y, 2, (ring) => ring !== 1);
  }));
  if (version > 6) {
    const bits = checked(version, 12, 0x1f25);
    for (let k = 0; k < 18; k += 1) {
      const [far, near] = [size - 11 + (k % 3), Math.floor(k / 3)];
      set(far, near, (bits >> k) & 1);
      set(near, far, (bits >> k) & 1);
    }
  }
  return { size, cells, set };
}

/** Which mask the modules have, and error correction M; twice. */
function drawFormat({ size, set }, mask) {
  const bits = checked(mask, 10, 0x537) ^ 0x5412; // M is 0
  const bit = (k) => (bits >> k) & 1;
  for (let k = 0; k < 6; k += 1) set(8, k, bit(k));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let k = 9; k < 15; k += 1) set(14 - k, 8, bit(k));
  for (let k = 0; k < 8; k += 1) set(size - 1 - k, 8, bit(k));
  for (let k = 8; k < 15; k += 1) set(8, size - 15 + k, bit(k));
  set(8, size - 8, true);
}

/** The places for data, in their order: up and down in columns of two. */
function places({ size, cells }) {
  const found = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let k = 0; k < size; k += 1) {
      const y = up ? size - 1 - k : k;
      for (const x of [right, right - 1]) if (cells[y][x] === null) found.push([x, y]);
    }
  }
  return found;
}

/** How hard a code is to read: long runs, squares, patterns like the corners, too dark or light. */
function penalty(cells) {
  const size = cells.length;
  const columns = cells.map((_, x) => cells.map((row) => row[x]));
  let found = 0;
  for (const row of [...cells, ...columns]) {
    const text = row.join("");
    for (const run of text.match(/0{5,}|1{5,}/g) || []) found += run.length - 2;
    for (let k = 0; k + 11 <= size; k += 1) if (/^(10111010000|00001011101)/.test(text.slice(k, k + 11))) found += 40;
  }
  for (let y = 1; y < size; y += 1) for (let x = 1; x < size; x += 1) {
    if (new Set([cells[y][x], cells[y - 1][x], cells[y][x - 1], cells[y - 1][x - 1]]).size === 1) found += 3;
  }
  const dark = cells.flat().filter(Boolean).length / (size * size);
  return found + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The modules of a text as rows of 0 and 1; null if it is too long. */
export function modules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = CHECKS.findIndex((_, k) => bytes.length + (k + 1 > 9 ? 3 : 2) <= wordsOf(k + 1)) + 1;
  if (!version) return null;
  const words = codewords(bytes, version);
  let best = null;
  MASKS.forEach((hit, mask) => {
    const code = frame(version);
    drawFormat(code, mask);
    places(code).forEach(([x, y], k) => code.set(x, y, ((words[k >> 3] >> (7 - (k & 7))) & 1) ^ (hit(x, y) === 0 ? 1 : 0)));
    const cost = penalty(code.cells);
    if (!best || cost < best.cost) best = { cost, cells: code.cells };
  });
  return best.cells;
}

/** A picture of the code, always dark on light, or null. */
export function drawCode(text, title) {
  const cells = modules(text);
  if (!cells) return null;
  const size = cells.length + 2 * QUIET;
  const dark = cells.flatMap((row, y) => row.map((on, x) => (on ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return s(
    "svg",
    { class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title, "shape-rendering": "crispEdges" },
    s("rect", { width: size, height: size, fill: "#fff" }),
    s("path", { d: dark, fill: "#000" }),
  );
}
