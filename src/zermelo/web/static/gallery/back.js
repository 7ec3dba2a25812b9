// Above the page of a game that was solved from the gallery: the way back, and stopping the solve.

import { byId, make } from "../page.js";

const link = make("a", { href: "../../" }, "← All games");
const stop = make("button", { type: "button" }, "Stop");
stop.addEventListener("click", async () => {
  stop.disabled = true;
  await fetch("stop", { method: "POST" });
});
document.body.prepend(make("p", { class: "back" }, link));
byId("waiting")?.append(stop);
