"use strict";
// What the rules of all games have in common (rules/game.py, rules/position.py, rules/order.py): who may act, how a
// seat leaves, the order of turns by a roll. A game hands in the rest, with its seats in the order of turns.
(() => {
  const EXIT_WORDS = ["resign", "timeout"];
  const ROLL = "order of turns";
  const NOTHING = Object.freeze({ cells: [], words: [], complete: false });

  globalThis.pbemRefused = class extends Error {
    constructor(code) {
      super(code);
      this.code = code;
    }
  };

  const refuse = (code) => {
    throw new globalThis.pbemRefused(code);
  };

  // Every order of the seats, in the order in which a roll counts them.
  function orders(seats) {
    if (!seats.length) {
      return [[]];
    }
    return seats.flatMap((seat) => orders(seats.filter((other) => other !== seat)).map((rest) => [seat, ...rest]));
  }

  // The number that an entry gives for a roll, 0 if it gives none.
  const read = (text) => (/^[0-9]{1,19}$/.test(text) ? Number(text) : 0);

  /* Returns the twin of a game: what pages call.

     `game` has begin(seats, options), toAct, move(state, text), outcome, departed (seats that have left),
     without(state, seat, word) for a seat that is present, cells, standing (with `roles`), choices, and, where it
     rolls, roll(state, value). `rollsOrder`: its own rules roll the order of turns. */
  globalThis.pbemTwin = (game, { rollsOrder = false } = {}) => {
    const departed = ({ inner, order, exits }) =>
      order ? game.departed(inner).map((seat) => order[seat]) : exits.map(([seat]) => seat);

    function toAct({ inner, order, seats }) {
      if (!order) {
        return { faces: orders(seats).length, what: ROLL };
      }
      const awaited = game.toAct(inner);
      return typeof awaited === "number" ? order[awaited] : awaited;
    }

    // The order is known: who has left before leaves the game now.
    function seated(state, order) {
      const leave = (inner, [seat, word]) => game.without(inner, order.indexOf(seat), word);
      return { ...state, inner: state.exits.reduce(leave, state.inner), order };
    }

    function roll(state, text) {
      const awaited = toAct(state);
      if (awaited === null || typeof awaited === "number") {
        refuse("no_roll_awaited");
      }
      const value = read(text);
      if (value < 1 || value > awaited.faces) {
        refuse("roll_out_of_range");
      }
      if (!state.order) {
        return seated(state, orders(state.seats)[value - 1]);
      }
      return { ...state, inner: game.roll(state.inner, value) };
    }

    function leave(state, seat, word) {
      const present = state.seats.includes(seat) && !departed(state).includes(seat);
      if (outcome(state) && (present || !state.lot)) {
        refuse("match_over");
      }
      if (!present) {
        refuse("seat_not_present");
      }
      if (state.order) {
        return { ...state, inner: game.without(state.inner, state.order.indexOf(seat), word) };
      }
      const following = { ...state, exits: [...state.exits, [seat, word]] };
      const ended = seated(following, state.seats);
      return outcome(ended) ? ended : following;
    }

    function outcome({ inner, order }) {
      const ended = order && game.outcome(inner);
      return ended ? { ...ended, winners: ended.winners.map((seat) => order[seat]).sort() } : null;
    }

    return {
      begin(seats, options) {
        const lot = options.order === "lot" && !rollsOrder;
        const numbers = Array.from({ length: seats }, (_, seat) => seat);
        return { inner: game.begin(seats, options), seats: numbers, order: lot ? null : numbers, exits: [], lot };
      },

      toAct,

      play(state, { seat, text }) {
        if (seat === null) {
          return roll(state, text);
        }
        if (EXIT_WORDS.includes(text)) {
          return leave(state, seat, text);
        }
        const awaited = toAct(state);
        if (awaited !== seat) {
          refuse(awaited === null ? "entry_after_the_end" : "not_your_turn");
        }
        return { ...state, inner: game.move(state.inner, text) };
      },

      outcome,

      cells: ({ inner }) => game.cells(inner),

      // `order` are the seats in the order of turns, null before it is rolled; roles are those of seats 0, 1 …
      standing(state) {
        const { roles, ...rest } = game.standing(state.inner);
        const seat = (number) => (state.order ? roles[state.order.indexOf(number)] : null);
        return { ...rest, roles: state.seats.map(seat), order: state.order, departed: departed(state).sort() };
      },

      choices: (state, typed) => (typeof toAct(state) === "number" ? game.choices(state.inner, typed) : NOTHING),
    };
  };

  globalThis.pbemRules = globalThis.pbemRules || {};
})();
