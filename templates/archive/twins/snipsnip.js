"use strict";
// The rules of SnipSnip for pages that try moves out; rules/games/snipsnip/position.py and boards.py are what counts.
(() => {
  const SQUARE = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const HEX = [...SQUARE, [1, 1], [-1, -1]];
  const DIAMOND = [...HEX, [-1, 1], [1, -1]];

  const refuse = (code) => {
    throw new globalThis.pbemRefused(code);
  };

  const grid = (size) => Array.from({ length: size * size }, (_, place) => [place % size, Math.floor(place / size)]);

  // Columns and rows of all cells, row by row from a1, and the steps to neighbours.
  function layout(key) {
    const [kind, ...numbers] = key.split("-");
    const short = Number(numbers[0]);
    const long = Number(numbers.at(-1));
    if (kind === "square") {
      return [grid(long), SQUARE];
    }
    if (kind === "diamond") {
      const off = (at) => Math.abs(at - long + 1);
      return [grid(2 * long - 1).filter(([column, row]) => off(column) + off(row) < long), DIAMOND];
    }
    const cells = grid(short + long - 1).filter(([column, row]) => row - column < short && column - row < long);
    return [cells, HEX];
  }

  // Where two steps lead that make capture sites of the cells in the middle of them: straight on; or to what is
  // diagonal, that is neither a neighbour nor straight on. Each with the first steps of all ways there.
  function spansOf(steps, diagonal) {
    const known = new Set(steps.map(String));
    const spans = new Map();
    for (const one of steps) {
      for (const other of steps) {
        const end = [one[0] + other[0], one[1] + other[1]];
        const bent = !known.has(String(end)) && end.some((by) => by % 2);
        if (diagonal ? bent : one === other) {
          const span = spans.get(String(end)) ?? { end, between: [] };
          span.between.push(one);
          spans.set(String(end), span);
        }
      }
    }
    return [...spans.values()];
  }

  const boards = new Map();

  // A board by cell numbers: `near` are neighbours, `linked` what is connected, `spans` the cells two steps away with
  // those in the middle.
  function boardOf({ board: key, capture, scoring }) {
    const name = `${key} ${capture} ${scoring}`;
    if (!boards.has(name)) {
      const [places, steps] = layout(key);
      const names = places.map(([column, row]) => String.fromCharCode(97 + column) + (row + 1));
      const numbers = new Map(names.map((cell, number) => [cell, number]));
      const at = new Map(places.map((place, number) => [String(place), number]));
      const beyond = ([column, row], [right, up]) => at.get(String([column + right, row + up]));
      const on = (cell) => cell !== undefined;
      const reached = (ways) => places.map((place) => ways.map((step) => beyond(place, step)).filter(on));
      const far = spansOf(steps, true).map(({ end }) => end);
      const spans = places.map((place) =>
        spansOf(steps, capture === "diagonal")
          .map(({ end, between }) => ({ end: beyond(place, end), between: between.map((step) => beyond(place, step)) }))
          .filter(({ end }) => on(end)),
      );
      const near = reached(steps);
      const linked = scoring === "linked" ? reached([...steps, ...far]) : near;
      boards.set(name, { names, numbers, near, linked, spans });
    }
    return boards.get(name);
  }

  const COLOURS = ["w", "b"];
  const PIECES = { w: "white", b: "black" };
  const colour = (state) => COLOURS[state.turn];
  const foe = (state) => COLOURS[1 - state.turn];
  const numberOf = (state, cell) => boardOf(state.options).numbers.get(cell) ?? -1;

  // Whether the turn goes on, since its latest stone removed another.
  const again = (state) => state.options.misere && Boolean(state.latest.at(-1)?.[1]) && !state.result;

  // The cells in the middle of `cell` and each stone of the colour `held`, some perhaps twice.
  function middles(state, cell, held) {
    const ends = boardOf(state.options).spans[cell].filter(({ end }) => state.stones[end] === held);
    return ends.flatMap(({ between }) => between);
  }

  // All capture sites, whether anything stands there or not.
  function sites(state, own = "w", other = "b") {
    const found = state.stones.map((stone, cell) => (stone === own ? middles(state, cell, other) : []));
    return new Set(found.flat());
  }

  function freeOf(state) {
    const closed = sites(state);
    return new Set([...state.stones.keys()].filter((cell) => !state.stones[cell] && !closed.has(cell)));
  }

  // The names of the stones of which the player next to place removes one after placing a stone on `cell`.
  function able(state, cell) {
    const { names, near } = boardOf(state.options);
    const found = new Set(middles(state, cell, foe(state)));
    if (state.options.capture_sites === "all") {
      sites(state, colour(state), foe(state)).forEach((site) => found.add(site));
    }
    const removable = near[cell].filter((other) => found.has(other) && state.stones[other] === foe(state));
    return removable.map((other) => names[other]);
  }

  // The size of the largest group of a colour.
  function largest(state, held) {
    const { linked } = boardOf(state.options);
    const seen = new Set();
    const sizes = state.stones.map((stone, cell) => {
      if (stone !== held || seen.has(cell)) {
        return 0;
      }
      const group = new Set([cell]);
      for (const member of group) {
        linked[member].filter((other) => state.stones[other] === held).forEach((other) => group.add(other));
      }
      group.forEach((member) => seen.add(member));
      return group.size;
    });
    return Math.max(...sizes);
  }

  const sizesOf = (state) => COLOURS.map((held) => largest(state, held));
  const timesCome = ({ history }) => history.filter((known) => known === history.at(-1)).length;

  // The code for a stone on `cell`, with the one on `removed` to go; "" if it can be placed.
  function whyNot(state, cell, removed, first) {
    const number = numberOf(state, cell);
    if (!first && !again(state)) {
      return "turn_ends_before";
    }
    if (number < 0) {
      return "cell_off_board";
    }
    if (state.stones[number]) {
      return "cell_occupied";
    }
    if (!first && cell === state.latest.at(-1)[1]) {
      return "cell_just_emptied";
    }
    if (!freeOf(state).has(number)) {
      return "capture_site";
    }
    const removable = able(state, number);
    if (removable.length ? removable.includes(removed) : !removed) {
      return "";
    }
    return !removable.length ? "nothing_to_remove" : removed ? "not_to_be_removed" : "removal_missing";
  }

  // The winner is whose largest group is the smaller one in misère, otherwise the larger; equal, not who is to place.
  function decided(state) {
    const [white, black] = sizesOf(state);
    if (white === black) {
      return { winners: [1 - state.turn] };
    }
    return { winners: [white < black === state.options.misere ? 0 : 1] };
  }

  function step(state, [cell, removed], first) {
    const code = whyNot(state, cell, removed, first);
    if (code) {
      refuse(code);
    }
    const stones = [...state.stones];
    stones[numberOf(state, cell)] = colour(state);
    if (removed) {
      stones[numberOf(state, removed)] = "";
    }
    const turn = removed && state.options.misere ? state.turn : 1 - state.turn;
    const latest = [...(again(state) ? state.latest : []), [cell, removed]];
    // A position comes back only over turns that all remove something; never in misère, where their player goes on.
    const reached = `${stones.map((stone) => stone || ".").join("")} ${turn}`;
    const history = [...(removed ? state.history : []), reached];
    const following = { ...state, stones, turn, latest, history };
    const over = timesCome(following) === 3 || !freeOf(following).size;
    return over ? { ...following, result: decided(following) } : following;
  }

  // Reads canonical notation only: cells, each with an x and the stone removed behind it, parted by single spaces.
  function read(state, text) {
    const on = (cell) => numberOf(state, cell) >= 0;
    return text.split(" ").map((word) => {
      const [, cell, removed] = /^([^x]*)(?:x(.*))?$/s.exec(word);
      if (!on(cell) || (removed !== undefined && !on(removed))) {
        const formed = /^[a-z][0-9]+(x[a-z][0-9]+)?$/.test(word) ? "cell_off_board" : "not_a_cell";
        refuse(!text.trim() ? "not_a_move" : word === "pass" ? "nobody_passes" : formed);
      }
      return [cell, removed ?? ""];
    });
  }

  const move = (state, text) => read(state, text).reduce((now, part, place) => step(now, part, !place), state);

  function cells(state) {
    const { names } = boardOf(state.options);
    const last = new Set(state.latest.flat());
    const placed = state.latest.map(([cell]) => cell);
    const earlier = new Set(placed.filter((cell) => cell !== placed.at(-1)));
    const closed = sites(state);
    const shown = state.stones.map((stone, cell) => {
      const marks = [last.has(names[cell]) && "last", stone && earlier.has(names[cell]) && "earlier", !stone && closed.has(cell) && "closed"];
      return [names[cell], [PIECES[stone], ...marks].filter(Boolean).join(" ")];
    });
    return Object.fromEntries(shown.filter(([, what]) => what));
  }

  // A stone, and behind an x what it removes. A turn that goes on after a capture is told as several moves.
  function choices(state, typed) {
    const none = { cells: [], words: [], complete: false, joint: "x" };
    const { names } = boardOf(state.options);
    if (!typed) {
      return { ...none, cells: [...freeOf(state)].map((cell) => names[cell]) };
    }
    try {
      move(state, typed);
      return { ...none, complete: true };
    } catch (error) {
      if (!(error instanceof globalThis.pbemRefused)) {
        throw error;
      }
      const begun = error.code === "removal_missing" && !typed.includes(" ");
      return begun ? { ...none, cells: able(state, numberOf(state, typed)) } : none;
    }
  }

  globalThis.pbemRules.snipsnip = globalThis.pbemTwin({
    begin(seats, options) {
      const stones = boardOf(options).names.map(() => "");
      return { options, stones, turn: 0, latest: [], history: [], gone: [], result: null };
    },
    toAct: (state) => (state.result ? null : state.turn),
    move,
    outcome: (state) => state.result,
    departed: (state) => state.gone,
    without: (state, seat) => ({ ...state, gone: [...state.gone, seat], result: { winners: [1 - seat] } }),
    cells,
    // `largest` are the sizes of the largest groups of White and Black; `twice`: the position has come up before.
    standing(state) {
      const twice = !state.result && timesCome(state) === 2;
      return { roles: ["White", "Black"], largest: sizesOf(state), again: again(state), twice };
    },
    choices,
  });
})();
