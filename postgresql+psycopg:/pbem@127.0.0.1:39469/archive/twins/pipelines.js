"use strict";
// The rules of Pipelines once more, so that readers can try moves: what rules/games/pipelines does with the texts of
// records. The Python decides, and a test compares the two. Comes behind common.js.
(() => {
  const refuse = (code) => {
    throw new globalThis.pbemRefused(code);
  };

  const ROLES = ["Red", "Blue", "Yellow"];
  const PIECES = { 7: 9, 8: 15, 10: 27 }; // of glass, by the length of the board's sides
  const LONGEST = 100; // so many rounds are played at most
  const QUIET = 3; // after so many rounds without a cube the match ends

  // A board is a list of signs, one for each cell, as emails show them; a seat's are found by its number.
  const EMPTY = ".";
  const FREE = "*";
  const HOMES = "123";
  const CUBES = "rby";
  const HELD = "RBY";
  const GLASS = FREE + HELD;
  const OWN = [0, 1, 2].map((seat) => HOMES[seat] + CUBES[seat] + HELD[seat]);
  const KEYS = { [FREE]: "glass" };
  ["red", "blue", "yellow"].forEach((tone, seat) => {
    KEYS[HOMES[seat]] = `${tone}-home`;
    KEYS[CUBES[seat]] = `${tone}-cube`;
    KEYS[HELD[seat]] = `${tone}-glass`;
  });

  const STEPS = [[-1, 0], [1, 0], [0, 1], [1, 1], [0, -1], [-1, -1]];
  const grids = {};

  // The hexagon with sides of so many cells, which are counted row by row from a1: their places, names and neighbours.
  function grid(size) {
    if (!grids[size]) {
      const places = [];
      for (let row = 0; row < 2 * size - 1; row++) {
        for (let column = Math.max(0, row - size + 1); column <= Math.min(size - 1 + row, 2 * size - 2); column++) {
          places.push([column, row]);
        }
      }
      const names = places.map(([column, row]) => String.fromCharCode(97 + column) + (row + 1));
      const numbers = new Map(places.map((place, cell) => [String(place), cell]));
      const beside = places.map(([column, row]) =>
        STEPS.map(([right, up]) => numbers.get(String([column + right, row + up])))
          .filter((cell) => cell !== undefined));
      grids[size] = { places, names, beside };
    }
    return grids[size];
  }

  // How many steps from cell to cell lie between two places.
  function steps([column, row], [otherColumn, otherRow]) {
    const right = otherColumn - column;
    const up = otherRow - row;
    return Math.max(Math.abs(right), Math.abs(up), Math.abs(right - up));
  }

  // Where the glass stands follows from one number alone, step by step as rules/games/pipelines/layout.py says.
  const WORD = (1n << 64n) - 1n;
  const CANDIDATES = 8;
  const ATTEMPTS = 20;

  // The values of SplitMix64, started at a number.
  function mixer(number) {
    let state = BigInt(number);
    return () => {
      state = (state + 0x9E3779B97F4A7C15n) & WORD;
      let value = ((state ^ (state >> 30n)) * 0xBF58476D1CE4E5B9n) & WORD;
      value = ((value ^ (value >> 27n)) * 0x94D049BB133111EBn) & WORD;
      return value ^ (value >> 31n);
    };
  }

  // Glass at least so many steps apart, from cells in a new order; fewer pieces than are wanted if no place is left.
  function scattered(size, gap, draw) {
    const { places } = grid(size);
    const order = [...places];
    for (let last = order.length - 1; last > 0; last--) {
      const other = Number(draw() % BigInt(last + 1));
      [order[last], order[other]] = [order[other], order[last]];
    }
    const chosen = [];
    // The edge counts like glass three steps from the outermost cells.
    const distance = (place) =>
      Math.min(size + 2 - steps(place, [size - 1, size - 1]), ...chosen.map((glass) => steps(place, glass)));
    while (chosen.length < PIECES[size]) {
      const apart = order.filter((place) => chosen.every((glass) => steps(place, glass) >= gap));
      if (!apart.length) {
        break;
      }
      const candidates = apart.slice(0, CANDIDATES);
      chosen.push(candidates.reduce((best, place) => (distance(place) > distance(best) ? place : best)));
    }
    return chosen.map((place) => places.indexOf(place));
  }

  function glassCells(size, number) {
    const draw = mixer(number);
    for (const gap of [3, 2]) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const chosen = scattered(size, gap, draw);
        if (chosen.length === PIECES[size]) {
          return chosen;
        }
      }
    }
    throw new RangeError(`${number} places no glass`);
  }

  // What is seen from a board alone. Sets of cells are lists, since there are few of them.
  const where = (board, signs) => [...board.keys()].filter((cell) => signs.includes(board[cell]));
  const changed = (board, cells, sign) => board.map((old, cell) => (cells.includes(cell) ? sign : old));
  const isBeside = (size, cell, cells) => grid(size).beside[cell].some((other) => cells.includes(other));
  const isBesideSign = (size, board, cell, signs) =>
    grid(size).beside[cell].some((other) => signs.includes(board[other]));
  const isGlass = (sign) => GLASS.includes(sign);

  // What belonged to somebody is gone, but for the glass, which is free.
  const freed = (board, cells) =>
    board.map((sign, cell) => (!cells.includes(cell) ? sign : isGlass(sign) ? FREE : EMPTY));

  // The cells that hang together with some of them.
  function joined(size, seeds, within) {
    const found = new Set(seeds);
    for (const cell of found) { // which grows meanwhile
      grid(size).beside[cell].filter((other) => within.includes(other)).forEach((other) => found.add(other));
    }
    return [...found];
  }

  // A glass that is lost takes the chains of cubes at it along, and after them all that is cut off from home.
  function afterBattle(size, board, glass, winner, loser) {
    const cubes = where(board, CUBES[loser]);
    const chains = joined(size, cubes.filter((cell) => isBeside(size, cell, [glass])), cubes);
    const fallen = changed(changed(board, chains, EMPTY), [glass], HELD[winner]);
    const own = where(fallen, OWN[loser]);
    const linked = joined(size, where(fallen, HOMES[loser]), own);
    return freed(fallen, own.filter((cell) => !linked.includes(cell)));
  }

  // What is seen from a state. Its seats are in the order of turns.
  const staying = ({ seats, gone }) => seats.filter((seat) => !gone.includes(seat));
  const shares = ({ seats, board }) => seats.map((seat) => where(board, HELD[seat]).length);
  const isHoming = ({ board, turn }) => !board.includes(HOMES[turn]);
  const marked = ({ allowance, rolled, latest }) => (allowance < rolled ? latest : []);

  // The glass beside which nothing may be placed in this turn, since it has been fought for.
  const barred = ({ lenient, fought, board, turn }) =>
    fought.filter((glass) => !lenient || board[glass] !== HELD[turn]);

  const homeCells = ({ size, board }) =>
    where(board, EMPTY).filter((cell) => !isBesideSign(size, board, cell, GLASS));

  // Whether the next cube may go on a cell; `closed` is glass beside which it may not.
  const isOpen = ({ size, turn }, board, cell, closed) =>
    board[cell] === EMPTY && isBesideSign(size, board, cell, OWN[turn]) && !isBeside(size, cell, closed);

  function toAct(state) {
    const { winners, board, battle, turn, rolled } = state;
    if (winners) {
      return null;
    }
    if (!board.some(isGlass)) {
      return { faces: 2 ** 32, what: "layout" };
    }
    if (isHoming(state)) {
      return turn;
    }
    if (battle) {
      return { faces: 6, what: !battle.spinner ? "spinner" : battle.die ? "defender's die" : "attacker's die" };
    }
    return rolled ? turn : { faces: 6, what: "die" };
  }

  // Who has most glass of those who are still there has won; several share it.
  function ended(state) {
    const held = shares(state);
    const most = Math.max(...held);
    return { ...state, winners: staying(state).filter((seat) => held[seat] === most) };
  }

  // The start of the next turn; while homes are named no rounds are counted.
  function next(state, homing) {
    const seats = staying(state);
    const turn = seats.find((seat) => seat > state.turn) ?? seats[0];
    const following = { ...state, turn, rolled: 0, allowance: 0, fought: [], battle: null, rest: [] };
    if (homing || turn > state.turn) {
      return following;
    }
    const rounds = state.rounds + 1;
    const quiet = state.busy ? 0 : state.quiet + 1;
    const counted = { ...following, rounds, quiet, busy: false };
    return quiet === QUIET || rounds === LONGEST ? ended(counted) : counted;
  }

  // Lets a cube that stands on `board` take the free glass beside it; returns that, and the glass that it attacks. None
  // of this has been fought for in this turn: beside such glass stands no cube that comes here.
  function meet({ size, turn }, board, cube) {
    const near = grid(size).beside[cube];
    const gained = near.filter((cell) => board[cell] === FREE);
    gained.forEach((cell) => (board[cell] = HELD[turn]));
    const foes = HELD.replace(HELD[turn], "");
    return [gained, near.filter((cell) => foes.includes(board[cell]))];
  }

  // Of several attacked pieces, the first by its name: by letter, then by number.
  function firstNamed(size, cells) {
    const { places } = grid(size);
    const key = (cell) => 100 * places[cell][0] + places[cell][1];
    return cells.reduce((first, cell) => (key(cell) < key(first) ? cell : first));
  }

  // Places cubes until a cell is not open, one attacks, or no glass is free. A `cube` that has just fought meets what
  // else is beside it, if it still stands. Returns the state, still in the same turn, and how many were placed.
  function lay(state, line, cube = null) {
    const { size, turn } = state;
    const board = [...state.board];
    const closed = barred(state);
    const touched = [];
    let attacked = [];
    let done = 0;
    const meetAll = () => {
      const [gained, foes] = meet(state, board, cube);
      touched.push(...gained);
      attacked = foes;
    };
    if (board[cube] === CUBES[turn]) {
      meetAll();
    }
    while (board.includes(FREE) && !attacked.length && isOpen(state, board, line[done], closed)) {
      cube = line[done++];
      board[cube] = CUBES[turn];
      touched.push(cube);
      meetAll();
    }
    const latest = [...marked(state), ...touched];
    const allowance = state.allowance - done;
    const laid = { ...state, board, battle: null, rest: [], latest, allowance, busy: state.busy || done > 0 };
    if (!board.includes(FREE)) {
      return [ended(laid), done];
    }
    if (!attacked.length) {
      return [laid, done];
    }
    const glass = firstNamed(size, attacked);
    const battle = { glass, cube, defender: HELD.indexOf(board[glass]), won: 0, lost: 0, spinner: 0, die: 0 };
    return [{ ...laid, battle, rest: line.slice(done), latest: [...latest, glass] }, done];
  }

  // Behind a battle the rest of the line is built, and the turn goes on if cubes are left.
  function resumed(state, cube) {
    const [laid] = lay(state, state.rest, cube);
    return laid.winners || laid.battle || laid.allowance ? laid : next(laid, false);
  }

  // The end of a round of a battle: whose die is nearer wins it, on a ring where 6 and 1 are neighbours; equal rounds
  // do not count. The first to win three wins the battle.
  function defended(state, defence) {
    const { battle, board, size, turn, fought } = state;
    const { glass, cube, defender, spinner } = battle;
    const away = (die) => Math.min((die - spinner + 6) % 6, (spinner - die + 6) % 6);
    const lead = away(defence) - away(battle.die);
    const won = battle.won + (lead > 0 ? 1 : 0);
    const lost = battle.lost + (lead < 0 ? 1 : 0);
    if (won < 3 && lost < 3) {
      return { ...state, battle: { ...battle, won, lost, spinner: 0, die: 0 } };
    }
    const [winner, loser] = won === 3 ? [turn, defender] : [defender, turn];
    const settled = { ...state, board: afterBattle(size, board, glass, winner, loser), battle: null };
    return resumed({ ...settled, fought: [...fought, glass] }, cube);
  }

  function roll(state, value) {
    const { board, size, battle } = state;
    switch (toAct(state).what) {
      case "layout":
        return { ...state, board: changed(board, glassCells(size, value - 1), FREE) };
      case "die":
        return { ...state, rolled: value, allowance: value };
      case "spinner":
        return { ...state, battle: { ...battle, spinner: value } };
      case "attacker's die":
        return { ...state, battle: { ...battle, die: value } };
      default:
        return defended(state, value);
    }
  }

  // Who leaves takes home and cubes along; the glass is free, and a battle of theirs is over.
  function without(state, seat) {
    const { board, turn, battle } = state;
    const own = where(board, OWN[seat]);
    const left = { ...state, board: freed(board, own), gone: [...state.gone, seat] };
    const others = staying(left);
    if (others.length === 1) {
      return { ...left, battle: null, rest: [], winners: others };
    }
    if (seat === turn) {
      return next(left, isHoming(state));
    }
    return battle && battle.defender === seat ? resumed({ ...left, battle: null }, battle.cube) : left;
  }

  // The cells of a line, as it is written.
  function read({ size }, text) {
    const { names } = grid(size);
    const words = text.split(" ");
    const strange = words.find((word) => !names.includes(word));
    if (strange !== undefined) {
      refuse(/^[a-z][0-9]+$/.test(strange) ? "cell_off_board" : strange === "pass" ? "pass_not_alone" : "not_a_cell");
    }
    if (new Set(words).size < words.length) {
      refuse("cell_named_twice");
    }
    return words.map((word) => names.indexOf(word));
  }

  // Why no cube, or no home, can be on a cell: it is not empty, it lies beside such glass, or too far off.
  function refuseCell({ size, board }, cell, glass, code) {
    if (board[cell] !== EMPTY) {
      refuse("cell_occupied");
    }
    refuse(isBeside(size, cell, glass) ? code : "cell_out_of_reach");
  }

  function homed(state, line) {
    const { board, turn } = state;
    if (line.length !== 1) {
      refuse("not_one_home");
    }
    if (!homeCells(state).includes(line[0])) {
      refuseCell(state, line[0], where(board, GLASS), "home_beside_glass");
    }
    return next({ ...state, board: changed(board, line, HOMES[turn]), latest: line }, true);
  }

  function move(state, text) {
    const line = text === "pass" ? [] : read(state, text);
    if (isHoming(state)) {
      return homed(state, line);
    }
    if (!line.length) {
      return next({ ...state, latest: marked(state) }, false);
    }
    if (line.length > state.allowance) {
      refuse("too_many_cells");
    }
    const [laid, done] = lay(state, line);
    if (laid.winners || laid.battle) {
      return laid;
    }
    if (done < line.length) {
      refuseCell(state, line[done], barred(state), "battle_already_fought");
    }
    return next(laid, false);
  }

  const NOTHING = { cells: [], words: [], complete: false };

  // What may follow the cells of a line, of which -1 is none. Behind an attack nobody knows what will be open, so any
  // cell may be named.
  function continued(state, line) {
    const [laid, done] = lay(state, line);
    const isLine = line.length <= state.allowance && !line.includes(-1) && new Set(line).size === line.length;
    if (!isLine || (done < line.length && !laid.battle)) {
      return NOTHING;
    }
    const closed = barred(laid);
    const open = (cell) => (laid.battle ? !line.includes(cell) : isOpen(laid, laid.board, cell, closed));
    const further = line.length < state.allowance && !laid.winners;
    const cells = further ? [...laid.board.keys()].filter(open) : [];
    return { cells, words: line.length ? [] : ["pass"], complete: line.length > 0 };
  }

  function choices(state, typed) {
    const { names } = grid(state.size);
    const line = typed ? typed.split(" ").map((word) => names.indexOf(word)) : [];
    if (isHoming(state)) {
      const homes = homeCells(state);
      const complete = line.length === 1 && homes.includes(line[0]);
      return { cells: line.length ? [] : homes.map((cell) => names[cell]), words: [], complete };
    }
    if (typed === "pass") {
      return { ...NOTHING, complete: true };
    }
    const found = continued(state, line);
    return { ...found, cells: found.cells.map((cell) => names[cell]) };
  }

  globalThis.pbemRules.pipelines = globalThis.pbemTwin({
    begin(seats, options) {
      const size = Number(options.size);
      return {
        size,
        seats: [...Array(seats).keys()],
        lenient: Number(options.rules ?? 1) !== 1, // a record that names no version is of the first
        board: grid(size).names.map(() => EMPTY),
        turn: 0, rolled: 0, allowance: 0, fought: [], battle: null, rest: [],
        rounds: 0, quiet: 0, busy: false,
        latest: [], gone: [], winners: null,
      };
    },

    toAct,
    roll,
    move,
    without,
    departed: ({ gone }) => gone,
    outcome: ({ winners }) => winners && { winners },

    cells({ size, board, latest }) {
      const { names } = grid(size);
      const named = board.map((sign, cell) => {
        const words = [KEYS[sign], latest.includes(cell) && "last"];
        return [names[cell], words.filter(Boolean).join(" ")];
      });
      return Object.fromEntries(named.filter(([, key]) => key));
    },

    // Beside roles seats are counted in the order of turns. `glass` is what those hold who are still there, by role;
    // nothing may be built beside `barred`, and `rest` waits for the end of a battle.
    standing(state) {
      const { size, seats, board, turn, rolled, allowance, battle, rest, rounds, quiet } = state;
      const { names } = grid(size);
      const held = shares(state);
      return {
        roles: seats.map((seat) => ROLES[seat]),
        glass: Object.fromEntries(staying(state).map((seat) => [ROLES[seat], held[seat]])),
        free: where(board, FREE).length,
        turn,
        rolled,
        allowance,
        battle: battle && { ...battle, glass: names[battle.glass], cube: names[battle.cube] },
        rest: rest.map((cell) => names[cell]),
        barred: barred(state).map((cell) => names[cell]),
        rounds,
        quiet,
      };
    },

    choices,
  });
})();
