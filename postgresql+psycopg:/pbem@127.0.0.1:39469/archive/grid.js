"use strict";
// The grid of cells that lies over the picture of a board while moves are tried: they can be pressed, reached by keys,
// and heard. It knows no rules; explore.js says what can be chosen.
globalThis.pbemGrid = ({ picture, spots, names, fill, describeCell }, sentences, named) => {
  const places = spots.map((spot) => {
    if (spot.localName === "use") return { x: spot.x.baseVal.value, y: spot.y.baseVal.value };
    const { e, f } = spot.transform.baseVal[0].matrix;
    return { x: e, y: f };
  });
  const [corner, ...others] = places;
  const reach = Math.min(...others.map(({ x, y }) => Math.hypot(x - corner.x, y - corner.y))) / 2; // round each cell
  const rows = [...new Set(places.map(({ y }) => y))]
    .sort((one, other) => one - other)
    .map((y) => [...places.keys()].filter((place) => places[place].y === y));
  let grid = null;
  let cells = [];
  let current = 0; // the one cell that Tab leads to

  function shape(name, attributes, parent) {
    const made = document.createElementNS(picture.namespaceURI, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return parent.appendChild(made);
  }

  function drawCell(place, row) {
    const { x, y } = places[place];
    const cell = shape("g", { role: "gridcell", "data-place": place, transform: `translate(${x} ${y})` }, row);
    shape("circle", { class: "area", r: reach }, cell);
    // Names stay legible within a ring.
    shape("circle", named ? { class: "open ring", r: reach * 0.8 } : { class: "open", r: reach / 3.5 }, cell);
    shape("text", { class: "step", dy: ".35em" }, cell);
    cells[place] = cell;
  }

  // The cell beside the current one, by the key of an arrow, or at an end of its row; undefined beyond the board.
  function beside(key) {
    const at = rows.findIndex((row) => row.includes(current));
    const row = rows[at];
    if (key === "Home") return row[0];
    if (key === "End") return row.at(-1);
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (sideways) return row[row.indexOf(current) + sideways];
    const away = (place) => Math.abs(places[place].x - places[current].x);
    const next = rows[at + { ArrowUp: -1, ArrowDown: 1 }[key]];
    return next?.reduce((best, place) => (away(place) < away(best) ? place : best));
  }

  function focus(place = current) {
    cells[current].setAttribute("tabindex", -1);
    current = place;
    cells[current].setAttribute("tabindex", 0);
    cells[current].focus();
  }

  return {
    // Lays the grid over the picture; keys begin at the cell `first`, if there is such a one.
    lay(first) {
      grid = shape("g", { role: "grid", class: "grid", "aria-label": sentences.board }, picture);
      for (const row of rows) {
        const line = shape("g", { role: "row" }, grid);
        row.forEach((place) => drawCell(place, line));
      }
      current = Math.max(0, names.indexOf(first));
      picture.setAttribute("role", "group"); // parts of an image can't be reached
      picture.querySelector(".cells").setAttribute("aria-hidden", "true");
    },

    remove() {
      grid.remove();
      picture.setAttribute("role", "img");
      picture.querySelector(".cells").removeAttribute("aria-hidden");
    },

    // Shows what lies on the cells, which of them are open, and which words of a move name some that were chosen.
    show(looks, open, words) {
      const chosen = words.filter((word) => names.includes(word));
      cells.forEach((cell, place) => {
        const name = names[place];
        const step = chosen.indexOf(name) + 1;
        const may = open.includes(name);
        const what = describeCell(place, looks[place]) || fill(sentences.empty, { cell: name });
        const told = step ? sentences.picked : may ? sentences.open : "{cell}";
        cell.setAttribute("aria-label", fill(told, { cell: what }));
        cell.setAttribute("tabindex", place === current ? 0 : -1);
        cell.classList.toggle("may", may);
        cell.classList.toggle("chosen", step > 0);
        cell.querySelector("text").textContent = step || "";
      });
    },

    focus,

    step: (key) => focus(beside(key) ?? current),

    // Which cell was pressed; -1 for none.
    placeUnder({ clientX, clientY }) {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
      return places.findIndex((spot) => Math.hypot(spot.x - x, spot.y - y) <= reach);
    },
  };
};
