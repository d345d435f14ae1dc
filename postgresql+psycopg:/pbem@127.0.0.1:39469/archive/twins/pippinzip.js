"use strict";
// The rules of Pipline and Zipline for pages that try moves out; rules/games/pippinzip/position.py is what counts.
(() => {
  const TAKE = "take";
  const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const DIAGONAL = [...STRAIGHT, [1, 1], [1, -1], [-1, 1], [-1, -1]];

  const refuse = (code) => {
    throw new globalThis.pbemRefused(code);
  };

  // The points of a board by number, row by row from a1; what lies beside each, straight or also diagonally.
  const boards = new Map();

  function boardOf(size) {
    if (!boards.has(size)) {
      const points = Array.from({ length: size * size }, (_, point) => [point % size, Math.floor(point / size)]);
      const names = points.map(([column, row]) => String.fromCharCode(97 + column) + (row + 1));
      const near = (steps) =>
        points.map(([column, row]) =>
          steps
            .map(([right, up]) => [column + right, row + up])
            .filter((place) => place.every((at) => at >= 0 && at < size))
            .map(([at, height]) => height * size + at),
        );
      const board = { size, names, numbers: new Map(names.map((name, point) => [name, point])) };
      boards.set(size, Object.assign(board, { straight: near(STRAIGHT), diagonal: near(DIAGONAL) }));
    }
    return boards.get(size);
  }

  const numberOf = (state, word) => boardOf(state.size).numbers.get(word) ?? -1;

  // Which colour places in this turn, and how many stones at most.
  const blackActs = (state) => ([null, state.turn].includes(state.taker) ? state.blackAuction : !state.blackAuction);
  const limitOf = (state) => (state.taker === null ? 3 : blackActs(state) ? state.pipStones : 1);

  const side = (state, seat) =>
    state.taker === null || seat === state.taker ? [seat] : state.seats.filter((other) => other !== state.taker);

  // The group of `point` among its colour if it is a winning line, else null. Black joins two opposite sides in
  // straight steps, white touches all four, diagonals counting. `has` says where stones of the colour are.
  function winningGroup(size, black, has, point) {
    if (!has(point)) {
      return null;
    }
    const beside = boardOf(size)[black ? "straight" : "diagonal"];
    const group = new Set([point]);
    const touched = { left: false, right: false, bottom: false, top: false };
    for (const stone of group) {
      const column = stone % size;
      const row = (stone - column) / size;
      touched.left ||= column === 0;
      touched.right ||= column === size - 1;
      touched.bottom ||= row === 0;
      touched.top ||= row === size - 1;
      beside[stone].filter(has).forEach((other) => group.add(other));
    }
    const across = touched.left && touched.right;
    const upward = touched.bottom && touched.top;
    return (black ? across || upward : across && upward) ? group : null;
  }

  // The winning line through the last stone, without the stones it does not need: taken away from a1 on, one by one.
  function lineThrough(state, point) {
    const black = state.stones[point] === "b";
    const wins = (stones) => winningGroup(state.size, black, (other) => stones.has(other), point);
    const own = [...state.stones.keys()].filter((other) => state.stones[other] === state.stones[point]);
    let group = wins(new Set(own)) ?? new Set();
    for (const stone of [...group].sort((one, other) => one - other)) {
      if (group.has(stone)) {
        group = wins(new Set([...group].filter((other) => other !== stone))) ?? group;
      }
    }
    return group;
  }

  // The points that are closed to the first stone of this turn: those beside a partner's, if any others are empty.
  function closedOf({ size, seats, stones, turn, taker, latest, apart, pipStones }) {
    const second = taker !== null && turn === (taker + 2) % seats.length;
    if (!second || !apart || pipStones !== 1) {
      return [];
    }
    const beside = boardOf(size).straight[boardOf(size).numbers.get(latest.at(-1))];
    return stones.some((stone, point) => !stone && !beside.includes(point)) ? beside : [];
  }

  // Places stones one by one until one wins; returns the stones of the board, the words that counted, whether they won,
  // and the points that are open to one more. `whole`: they have to be a whole turn.
  function lay(state, words, whole = true) {
    const limit = limitOf(state);
    const board = boardOf(state.size);
    const stones = [...state.stones];
    const own = blackActs(state) ? "b" : "w";
    const closed = [...closedOf(state)];
    const isOpen = (point) => stones[point] === "" && !closed.includes(point);
    const open = () => [...stones.keys()].filter(isOpen);
    for (const [place, word] of words.entries()) {
      const point = numberOf(state, word);
      if (place >= limit || !isOpen(point)) {
        refuse(whyNot(state, words, word, open()));
      }
      stones[point] = own;
      if (winningGroup(state.size, own === "b", (other) => stones[other] === own, point)) {
        return { stones, words: words.slice(0, place + 1), won: true, open: [] };
      }
      if (state.apart && limit === 2) {
        closed.push(...board.straight[point]);
      }
    }
    const more = words.length < limit ? open() : [];
    if (whole && state.taker !== null && more.length) {
      refuse(whyNot(state, words, "", more));
    }
    return { stones, words, won: false, open: more };
  }

  // The code for words of which `word` fails, or with "" one is missing.
  function whyNot(state, words, word, open) {
    const point = numberOf(state, word);
    const causes = [
      ["cell_named_twice", new Set(words).size < words.length],
      ["take_after_auction", words.includes(TAKE) && state.taker !== null],
      ["place_and_take", words.includes(TAKE)],
      ["too_many_stones", words.length > limitOf(state)],
      ["stone_missing", !word],
      ["cell_off_board", point < 0],
      ["cell_occupied", state.stones[point]],
      ["second_stone_lost", !open.length],
    ];
    return (causes.find(([, holds]) => holds) ?? ["beside_first_stone"])[0];
  }

  // Reads canonical notation only: points or "take", each parted from the next by one space.
  function read(state, text) {
    const words = text.split(" ");
    const wrong = words.find((word) => word !== TAKE && numberOf(state, word) < 0);
    if (wrong !== undefined) {
      refuse(text.trim() ? (/^[a-z][0-9]+$/.test(wrong) ? "cell_off_board" : "not_a_cell") : "not_a_move");
    }
    return words;
  }

  const after = (state, seat) => (seat + 1) % state.seats.length;

  // In the auction, whoever has left is passed over.
  function present(state, seat) {
    return state.taker === null && state.gone.includes(seat) ? present(state, after(state, seat)) : seat;
  }

  function move(state, text) {
    const words = read(state, text);
    if (text === TAKE && state.taker === null) {
      return { ...state, turn: after(state, state.turn), taker: state.turn, latest: [] };
    }
    const laid = lay(state, words);
    const result = laid.won ? { winners: side(state, state.turn) } : null;
    const turn = present(state, after(state, state.turn));
    return { ...state, stones: laid.stones, latest: laid.words, turn, result };
  }

  // Those who stay play on while two sides are present.
  function without(state, seat) {
    const left = { ...state, gone: [...state.gone, seat] };
    const staying = left.seats.filter((other) => !left.gone.includes(other));
    const winners = side(left, staying[0]);
    const over = staying.every((other) => winners.includes(other));
    return { ...left, turn: present(left, left.turn), result: over ? { winners } : null };
  }

  function toAct(state) {
    if (state.result) {
      return null;
    }
    const { turn, gone } = state;
    return gone.includes(turn) ? side(state, turn).find((seat) => !gone.includes(seat)) : turn;
  }

  function cells(state) {
    const { names } = boardOf(state.size);
    const last = state.latest.map((word) => numberOf(state, word));
    const line = state.result && last.length ? lineThrough(state, last.at(-1)) : new Set();
    const marks = (point) => (last.includes(point) ? " last" : "") + (line.has(point) ? " line" : "");
    const piece = (point) => (state.stones[point] === "b" ? "black" : "white");
    const held = [...state.stones.keys()].filter((point) => state.stones[point]);
    return Object.fromEntries(held.map((point) => [names[point], piece(point) + marks(point)]));
  }

  function standing(state) {
    const taken = state.blackAuction ? "Pip" : "Zip";
    const other = state.blackAuction ? "Zip" : "Pip";
    const role = (seat) => (state.taker === null ? null : seat === state.taker ? taken : other);
    return { roles: state.seats.map(role) };
  }

  // `typed` may be the whole of a turn, and may yet go on: in the auction one stone, two or three are one.
  function choices(state, typed) {
    const none = { cells: [], words: [], complete: false };
    const words = typed ? typed.split(" ") : [];
    const auction = state.taker === null;
    if (typed === TAKE) {
      return { ...none, complete: auction };
    }
    let laid;
    try {
      laid = lay(state, words, false);
    } catch (error) {
      if (error instanceof globalThis.pbemRefused) {
        return none;
      }
      throw error;
    }
    if (laid.words.length < words.length) {
      return none;
    }
    const { names } = boardOf(state.size);
    const complete = words.length > 0 && (auction || !laid.open.length);
    return { cells: laid.open.map((point) => names[point]), words: auction && !typed ? [TAKE] : [], complete };
  }

  const game = (start) => ({
    begin(seats, options) {
      const { size } = options;
      const opening = { taker: null, turn: 0, latest: [], gone: [], result: null, stones: Array(size * size).fill("") };
      return { size, seats: Array.from({ length: seats }, (_, seat) => seat), ...opening, ...start(seats, options) };
    },
    toAct,
    move,
    outcome: (state) => state.result,
    departed: (state) => state.gone,
    without,
    cells,
    standing,
    choices,
  });

  globalThis.pbemRules.pipline = globalThis.pbemTwin(game(() => ({ blackAuction: true, pipStones: 1, apart: false })));
  globalThis.pbemRules.zipline = globalThis.pbemTwin(
    game((seats, options) => ({
      blackAuction: false,
      pipStones: seats > 2 ? 1 : 2,
      apart: seats > 2 ? options.partner_gap : !options.freestyle,
    })),
  );
})();
