// Moves by clicking places: one place, or several one after the other (from, to).

const CROWDED = 40;

const same = (a, b) => a.length === b.length && a.every((part, k) => part[0] === b[k][0] && part[1] === b[k][1] && part[2] === b[k][2]);
const begins = (cells, some) => cells.length >= some.length && same(cells.slice(0, some.length), some);

/** Moves that name one column each, as where discs are dropped: a click anywhere in it will do. */
function columns(moves, shapes) {
  const found = new Map();
  const withCells = moves.filter((move) => move.cells.length);
  if (!withCells.length) return null;
  const index = withCells[0].cells[0][0];
  const shape = shapes[index];
  if (!shape || shape.shape !== "board" || shape.rows.length < 2) return null;
  for (const move of moves) {
    if (move.cells.length > 1 || move.choices.length !== 1) return null;
    const value = String(move.choices[0][1]);
    const column = shape.column_names.findIndex((name, k) => name === value || String(k + 1) === value);
    if (column < 0 || found.has(column)) return null;
    if (move.cells.length && (move.cells[0][0] !== index || move.cells[0][2] !== column)) return null;
    found.set(column, move);
  }
  return { index, found };
}

export class Picker {
  constructor(moves, shapes, { play, redraw, explain }) {
    this.moves = moves.filter((move) => move.cells.length);
    this.columns = columns(moves, shapes);
    this.play = play;
    this.redraw = redraw;
    this.explain = explain;
    this.prefix = [];
    this.best = new Set();
  }

  /** Whether all valid moves can be made on the board. */
  covers(moves) {
    const valid = moves.filter((move) => move.valid);
    return valid.length > 0 && valid.every((move) => move.cells.length);
  }

  /** Whether so many places are open that marking each would only disturb. */
  crowded(index) {
    return !this.prefix.length && this.moves.filter((move) => move.valid && move.cells[0][0] === index).length > CROWDED;
  }

  /** Moves that a click on this place leads to, from some places chosen before. */
  through(prefix, cell) {
    const wished = [...prefix, cell];
    return this.moves.filter((move) => begins(move.cells, wished));
  }

  here(index, r, c) {
    if (this.columns) {
      const move = this.columns.index === index ? this.columns.found.get(c) : null;
      return move ? [move] : [];
    }
    const cell = [index, r, c];
    const next = this.prefix.length ? this.through(this.prefix, cell) : [];
    return next.some((move) => move.valid) ? next : [...next, ...this.through([], cell)];
  }

  state(index, r, c) {
    if (this.prefix.some((cell) => same([cell], [[index, r, c]]))) return { kind: "chosen" };
    const moves = this.here(index, r, c);
    const valid = moves.filter((move) => move.valid);
    if (valid.length) {
      const label = valid.length === 1 ? valid[0].label : "can be chosen";
      const best = valid.some((move) => this.best.has(move.text));
      return { kind: "open", label, landing: this.lands(valid, r), best: best && this.lands(valid, r) };
    }
    if (moves.length) return { kind: "barred", why: moves[0].why || "not allowed now" };
    return null;
  }

  /** In a column that is clicked anywhere, the place that counts. */
  lands(moves, r) {
    return !this.columns || moves[0].cells[0]?.[1] === r;
  }

  look(index, r, c) {
    const state = this.state(index, r, c);
    if (state && state.kind === "barred") this.explain(state.why);
  }

  click(index, r, c) {
    const cell = [index, r, c];
    const state = this.state(index, r, c);
    if (!state) {
      if (this.prefix.length) this.clear();
      return;
    }
    if (state.kind === "barred") {
      this.explain(state.why, true);
      return;
    }
    if (this.columns) {
      this.play(this.here(index, r, c)[0]);
      return;
    }
    if (state.kind === "chosen") {
      const whole = this.whole();
      if (whole.length === 1 && same([this.prefix[this.prefix.length - 1]], [cell])) this.play(whole[0]);
      else this.clear();
      return;
    }
    const on = this.through(this.prefix, cell).some((move) => move.valid);
    this.prefix = on ? [...this.prefix, cell] : [cell];
    const whole = this.whole();
    const longer = this.moves.filter((move) => move.valid && move.cells.length > this.prefix.length && begins(move.cells, this.prefix));
    if (whole.length === 1 && !longer.length) this.play(whole[0]);
    else this.redraw();
  }

  /** Whether a piece can be dragged from here: some valid move begins here and goes on elsewhere. */
  leads(index, r, c) {
    return !this.columns && this.moves.some((move) => move.valid && move.cells.length > 1 && begins(move.cells, [[index, r, c]]));
  }

  /** Begin a move here, whatever was chosen before. */
  take(index, r, c) {
    this.prefix = [[index, r, c]];
    this.redraw();
  }

  /** Valid moves that are told completely by the places chosen. */
  whole() {
    return this.moves.filter((move) => move.valid && same(move.cells, this.prefix));
  }

  clear() {
    this.prefix = [];
    this.redraw();
  }
}
