// The page as an export has it: it answers from files, and with ?embed stands within another page.

import { use } from "../api.js";
import { sourceAt } from "./files.js";

const { table, reasons } = document.documentElement.dataset;

// Within another page, moves are no steps of that page's history, and the address stays embedded.
function embed() {
  document.documentElement.classList.add("embed");
  const replace = history.replaceState.bind(history);
  history.pushState = history.replaceState = (state, title, address) => {
    const whole = new URL(address ?? location.href, location.href);
    if (!whole.searchParams.has("embed")) whole.searchParams.append("embed", "");
    replace(state, title, whole);
  };
}

document.getElementById("unserved").remove();
if (new URLSearchParams(location.search).has("embed")) embed();
try {
  use(await sourceAt(table, reasons));
} catch (error) {
  use({ status: async () => ({ state: "failed", problem: error.message }) });
}
await import("../app.js");
