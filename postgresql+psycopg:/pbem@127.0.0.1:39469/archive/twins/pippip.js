"use strict";
// The rules of Pip•Pip once more, so that readers can try moves: what rules/games/pippip does with the texts of
// records. The Python decides, and a test compares the two. Comes behind common.js.
(() => {
  const refuse = (code) => {
    throw new globalThis.pbemRefused(code);
  };

  // The sides of a die by the number on top, clockwise as seen from above.
  const RINGS = {
    1: [5, 3, 2, 4], 2: [1, 3, 6, 4], 3: [1, 5, 6, 2], 4: [1, 2, 6, 5], 5: [1, 4, 6, 3], 6: [2, 3, 5, 4],
  };
  const FACES = { "colours": 2, "starting player": 2, "die": 6 };
  const FULL = 3; // the greatest number of dice in a store

  // Cells are counted row by row from a1, and so are the dice of a board: null, or whether it is light, and the die.
  const CELLS = [..."1234"].flatMap((row) => [..."abcd"].map((column) => column + row));
  const isLight = (cell) => ((cell % 4) + Math.floor(cell / 4)) % 2 === 1;

  // The neighbours of each cell, each with the side that faces it: 0 north, 1 east, 2 south, 3 west.
  const BESIDE = CELLS.map((name, cell) =>
    [cell + 4, cell + 1, cell - 4, cell - 1]
      .map((other, side) => ({ other, side }))
      .filter(({ other, side }) => CELLS[other] && (side % 2 === 0 || CELLS[other][1] === name[1])));

  // A die as it stands: top, north, east, south, west.
  function turned(top, north) {
    const ring = RINGS[top];
    const at = ring.indexOf(north);
    return [top, ...ring.slice(at), ...ring.slice(0, at)];
  }

  // Which cells a die takes over that is placed on a cell; what is taken over attacks nobody.
  const taken = (board, light, cell, die) =>
    BESIDE[cell]
      .filter(({ other, side }) => board[other] && board[other].light !== light)
      .filter(({ other, side }) => die[1 + side] > board[other].die[1 + (side + 2) % 4])
      .map(({ other }) => other);

  const isScoring = (stood, cell, light) => stood && stood.light === light && isLight(cell) === light;
  const score = (board, light) =>
    board.reduce((sum, stood, cell) => sum + (isScoring(stood, cell, light) ? stood.die[0] : 0), 0);

  const freeCells = (board) => CELLS.filter((_, cell) => !board[cell]);

  // A store holds no more dice than its seat has still to place, this turn's included.
  const mayRoll = ({ board, hand, stores, turn }) =>
    !hand && stores[turn].length < Math.min(FULL, Math.ceil(freeCells(board).length / 2));

  const withStore = ({ stores, turn }, store) => stores.map((other, seat) => (seat === turn ? store : other));

  function toAct({ winners, awaited, turn }) {
    if (winners) {
      return null;
    }
    return awaited ? { faces: FACES[awaited], what: awaited } : turn;
  }

  function roll(state, value) {
    switch (state.awaited) {
      case "colours":
        return { ...state, light: value - 1, awaited: "starting player" };
      case "starting player":
        return { ...state, turn: value === 1 ? state.light : 1 - state.light, awaited: "die" };
      default:
        return { ...state, hand: value, awaited: null };
    }
  }

  // Equal scores are a draw, which both win.
  function leaders(board, light) {
    const lead = score(board, true) - score(board, false);
    return [0, 1].filter((seat) => lead === 0 || (seat === light) === (lead > 0));
  }

  // A placement as it is written; its `north` is NaN where that is missing.
  function read(text, hand) {
    const found = /^(?:use ([0-9]{1,2}) )?([a-mo-z][1-9][0-9]?)(?: n([0-9]{1,2}))?$/.exec(text);
    if (!found) {
      refuse("not_a_move");
    }
    const [, top, name, north] = found;
    if (!CELLS.includes(name)) {
      refuse("cell_off_board");
    }
    const stored = top !== undefined;
    return { stored, top: stored ? Number(top) : hand, cell: CELLS.indexOf(name), north: Number(north ?? NaN) };
  }

  // Says what is wrong in the order in which the rules look for it, since the first of it gives the code.
  function check({ board, hand, stores, turn }, { stored, top, cell, north }) {
    if (!stored && !hand) {
      refuse("no_die_rolled");
    }
    if (stored && hand) {
      refuse("rolled_die_first");
    }
    if (stored && !stores[turn].includes(top)) {
      refuse("die_not_stored");
    }
    if (board[cell]) {
      refuse("cell_occupied");
    }
    if (!RINGS[top].includes(north)) {
      refuse(Number.isNaN(north) ? "north_missing" : "north_impossible");
    }
  }

  function placed(state, move) {
    check(state, move);
    const { stores, turn } = state;
    const light = turn === state.light;
    const die = turned(move.top, move.north);
    const won = taken(state.board, light, move.cell, die);
    const board = state.board.map((stood, cell) => (won.includes(cell) ? { light, die: stood.die } : stood));
    board[move.cell] = { light, die };
    const store = [...stores[turn]];
    if (move.stored) {
      store.splice(store.indexOf(move.top), 1);
    }
    const winners = board.includes(null) ? null : leaders(board, state.light);
    const awaited = winners || stores[1 - turn].length ? null : "die";
    const latest = [move.cell, ...won];
    return { ...state, board, turn: 1 - turn, stores: withStore(state, store), hand: 0, latest, winners, awaited };
  }

  function move(state, text) {
    const { hand, stores, turn } = state;
    if (text === "roll") {
      if (!mayRoll(state)) {
        refuse(hand ? "rolled_already" : "store_full");
      }
      return { ...state, awaited: "die" };
    }
    if (text === "store") {
      if (!hand) {
        refuse("no_die_rolled");
      }
      return { ...state, hand: 0, stores: withStore(state, [...stores[turn], hand].sort()) };
    }
    return placed(state, read(text, hand));
  }

  // The dice that may be placed now: the one in hand, or those in store.
  const placeable = ({ hand, stores, turn }) => (hand ? [hand] : [...new Set(stores[turn])]);

  // Every legal move as it is written: there are some two hundred at most.
  function moves(state) {
    const placements = placeable(state).flatMap((top) =>
      freeCells(state.board).flatMap((cell) =>
        RINGS[top].map((north) => `${state.hand ? "" : `use ${top} `}${cell} n${north}`)));
    if (state.hand) {
      return ["store", ...placements];
    }
    return mayRoll(state) ? ["roll", ...placements] : placements;
  }

  globalThis.pbemRules.pippip = globalThis.pbemTwin({
    begin: () => ({
      light: null, turn: 0, awaited: "colours", hand: 0,
      board: CELLS.map(() => null), stores: [[], []],
      latest: [], gone: [], winners: null,
    }),

    toAct,
    roll,
    move,
    without: (state, seat) => ({ ...state, gone: [...state.gone, seat], winners: [1 - seat] }),
    departed: ({ gone }) => gone,
    outcome: ({ winners }) => winners && { winners },

    cells({ board, latest }) {
      const named = board.map((stood, cell) => {
        const key = stood && (stood.light ? "light" : "dark") + (latest.includes(cell) ? " last" : "");
        return [CELLS[cell], { key, die: stood?.die }];
      });
      return Object.fromEntries(named.filter(([, { key }]) => key));
    },

    // Beside roles all is by colour; `sides` are those of the dice that may be placed now, clockwise, by their tops.
    standing(state) {
      const { board, light, hand, stores } = state;
      const sides = typeof toAct(state) === "number" ? placeable(state).map((top) => [top, RINGS[top]]) : [];
      return {
        roles: [0, 1].map((seat) => (light === null ? null : seat === light ? "Light" : "Dark")),
        score: { light: score(board, true), dark: score(board, false) },
        stores: { light: stores[light ?? 0], dark: stores[1 - (light ?? 0)] },
        hand,
        sides: Object.fromEntries(sides),
      };
    },

    choices(state, typed) {
      const begun = typed && `${typed} `;
      const fitting = moves(state).map((text) => `${text} `).filter((text) => text.startsWith(begun));
      const following = [...new Set(fitting.map((text) => text.slice(begun.length).split(" ")[0]))];
      return {
        cells: following.filter((word) => CELLS.includes(word)),
        words: following.filter((word) => word && !CELLS.includes(word)),
        complete: following.includes(""), // nothing is left of that move
      };
    },
  }, { rollsOrder: true });
})();
