"use strict";
// Steps the newest boards of the first page through their last moves: once by itself, unless a reader wants no motion,
// and whenever its button is pressed. Python has drawn every position; this chooses which one shows.
{
  const button = document.getElementById("films");
  const start = button.textContent;
  const boards = new Set([...document.querySelectorAll(".past")].map((position) => position.parentNode));
  const films = [...boards].map((film) => [...film.querySelectorAll(":scope > g")]);
  const steps = Math.max(...films.map((positions) => positions.length));
  let at = steps - 1;
  let timer = 0;

  // All of them come to the present position at the same time.
  function show() {
    for (const positions of films) {
      const chosen = Math.max(0, at - steps + positions.length);
      positions.forEach((position, place) => position.classList.toggle("past", place !== chosen));
    }
  }

  function play(on) {
    clearInterval(timer);
    timer = 0;
    button.textContent = on ? button.dataset.pause : start;
    if (!on) return;
    if (at === steps - 1) at = 0;
    show();
    timer = setInterval(() => {
      at += 1;
      show();
      if (at === steps - 1) play(false);
    }, 900);
  }

  button.hidden = false;
  button.addEventListener("click", () => play(!timer));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
}
