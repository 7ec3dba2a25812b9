// The sections below the board that open by their headings: the rules, two plies, the reasons, the counts.

import { source } from "./api.js";
import { byId, make } from "./page.js";
import { statisticsOf } from "./statistics.js";
import { badge, worthOf } from "./board/values.js";

// `page` has game, match(), edge(), jump(keys), and width().
export class Details {
  constructor(page, problem) {
    this.page = page;
    byId("rules").replaceChildren(...page.game.instructions.map((text) => make("p", {}, text)));
    byId("rules-section").hidden = !page.game.instructions.length;
    for (const details of document.querySelectorAll("#more details[id]")) {
      details.ontoggle = () => details.open && this.fill(details.id).catch((error) => problem(error.message));
    }
  }

  refresh() {
    for (const id of ["tree-details", "why-details"]) if (byId(id).open) this.fill(id);
  }

  async fill(id) {
    const code = this.page.match().position.position;
    const still = () => this.page.match().position.position === code;
    if (id === "tree-details") {
      const tree = await source.tree(code);
      if (still()) byId("tree").replaceChildren(...this.branches(tree));
    } else if (id === "why-details") {
      const { sentences } = await source.explanation(code);
      const lines = sentences.map((text) => make("p", { class: text.startsWith("  ") ? "inner" : null }, text));
      if (still()) byId("why").replaceChildren(...lines);
    } else if (id === "statistics-details" && !byId("statistics").firstChild) {
      const counts = await source.statistics();
      byId("statistics").replaceChildren(...statisticsOf(counts, this.page.game.words, this.page.width()));
    }
  }

  branches(tree) {
    if (!tree.moves.length) return ["The game is over."];
    const edge = this.page.edge();
    const rows = tree.moves.map((move) => {
      // How many points whoever replies is ahead then.
      const after = (move.again ? 1 : -1) * (edge + move.points);
      const replies = move.replies.map((reply) => {
        const worth = worthOf(reply.value, after, move.replies);
        return make(
          "button",
          {
            type: "button",
            onclick: () => this.page.jump([move.key, reply.key]),
            "aria-label": `${move.name}, then ${reply.name}: ${worth.text} for the player who replies`,
          },
          reply.name,
          badge(worth),
        );
      });
      const more = move.more ? ` and ${move.more} more` : "";
      const first = make("th", { scope: "row" }, make("span", { class: "pair" }, move.name, badge(worthOf(move.value, edge, tree.moves))));
      return make("tr", {}, first, make("td", {}, replies.length ? replies : "the game is over", more));
    });
    const head = make("tr", {}, [tree.moves[0].odds ? "result" : "move", "replies, best first for the player who replies"].map((name) => make("th", { scope: "col" }, name)));
    return [make("table", {}, head, rows), tree.more ? `and ${tree.more} more moves` : ""];
  }
}
