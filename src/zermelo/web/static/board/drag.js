// Dragging a piece to where it goes, with a mouse, a finger or a pen.

import { draw } from "../page.js";

const NEAR = 6; // pixels that a click may stray

export function followDrag(board, spot, name) {
  spot.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const from = [down.clientX, down.clientY];
    let dragging = false;
    const move = (event) => {
      if (!dragging && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < NEAR) return;
      if (!dragging) {
        dragging = true;
        document.body.classList.add("dragging");
        board.act(name);
      }
      const all = board.frame.getBoundingClientRect();
      const place = ([x, y]) => `${x - all.left} ${y - all.top}`;
      const line = draw("path", { d: `M${place(from)}L${place([event.clientX, event.clientY])}` });
      board.layers.drag.replaceChildren(line);
    };
    const end = (event) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      if (!dragging) return;
      document.body.classList.remove("dragging");
      board.layers.drag.replaceChildren();
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-move]");
      const target = under?.dataset.move;
      const meaning = event.type === "pointerup" ? board.found.get(target) : null;
      if (target === name && meaning?.cancels) return; // let go where it was: it stays chosen
      if (meaning && !meaning.instead && !meaning.cancels) board.act(target);
      else board.handlers.cancel();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  });
}
