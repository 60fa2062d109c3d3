// Moves by dragging a piece to another place, beside clicking one place after the other.

import { ghost } from "./motion.js";

const FAR = 6; // pixels that a pointer may tremble before it drags

const placeOf = (cell) => [Number(cell.closest("[data-index]").dataset.index), ...cell.dataset.at.split(",").map(Number)];

/** Mark the places from which something can be dragged, so that a finger there does not scroll. */
export function mark(stage, picker) {
  for (const cell of stage.querySelectorAll("[data-index] [data-at]")) {
    if (picker.leads(...placeOf(cell))) cell.dataset.drag = "";
  }
}

export function dragging(stage, picker) {
  let start = null;
  let flying = null;

  function end() {
    flying?.remove();
    stage.removeAttribute("data-dragging");
    start = flying = null;
  }

  stage.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-drag]");
    if (event.button || !event.isPrimary || !cell) return;
    start = { x: event.clientX, y: event.clientY, cell };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!flying) {
      const drawn = start.cell.querySelector(".cell-in > *");
      if (Math.hypot(x, y) < FAR) return;
      if (!start.cell.isConnected || !drawn) {
        end();
        return;
      }
      stage.setPointerCapture(event.pointerId);
      flying = ghost(drawn, drawn.getBoundingClientRect());
      stage.dataset.dragging = "";
      picker().take(...placeOf(start.cell));
    }
    flying.style.transform = `translate(${x}px, ${y}px)`;
  });
  stage.addEventListener("pointerup", (event) => {
    if (!flying) {
      start = null;
      return;
    }
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("[data-index] [data-at]")).find(Boolean);
    const from = placeOf(start.cell);
    end();
    window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    window.setTimeout(() => window.dispatchEvent(new Event("click")), 0); // where no click follows
    const to = under && placeOf(under);
    if (to && String(to) !== String(from)) picker().click(...to);
    else picker().clear();
  });
  stage.addEventListener("pointercancel", () => {
    if (flying) picker().clear();
    end();
  });
}
