// The puzzle: a position in which one move only is right, to be found without help.

import { source } from "./api.js";
import { byId, make } from "./page.js";

const GOALS = {
  win: ["Find the only winning move", "the only winning move"],
  draw: ["Find the only move that holds the draw", "the only move that holds the draw"],
  points: ["Find the only best move", "the only best move"],
};
const SLIPS = { win: "does not win", draw: "does not hold the draw", points: "is not the best" };

export class Puzzle {
  // `page` has begin(place), reveal(), leave(), and players().
  constructor(page) {
    this.page = page;
    this.asked = null; // what is to be found; null where there is no puzzle, or it is solved
  }

  get running() {
    return this.asked !== null;
  }

  async next() {
    let found = await source.puzzle();
    for (let tries = 0; found === null && tries < 2; tries += 1) found = await source.puzzle();
    if (found === null) {
      this.asked = null;
      this.say("No puzzle found: random matches turned up no position with a single best move.");
      return;
    }
    this.asked = found;
    await this.page.begin(found);
    this.say(`${GOALS[found.goal][0]} for ${this.page.players()[found.mover]}.`, ["Show it", () => this.show()]);
  }

  // Whether a move may be made: outside of puzzles every one, in a puzzle the right one.
  allows(move, moves) {
    if (!this.asked) return true;
    const { goal } = this.asked;
    if (move.key !== moves[0].key) {
      this.say(`${move.name} ${SLIPS[goal]}. Try another move.`, ["Show it", () => this.show()]);
      return false;
    }
    this.solved(`Right: ${move.name} is ${GOALS[goal][1]}.`);
    return true;
  }

  show() {
    const move = this.page.moves()[0];
    this.solved(`${move.name} is ${GOALS[this.asked.goal][1]}.`);
    this.page.show();
  }

  solved(sentence) {
    this.asked = null;
    this.page.reveal();
    this.say(sentence, ["Next puzzle", () => this.next()]);
  }

  leave() {
    this.asked = null;
    byId("task").hidden = true;
  }

  say(sentence, ...buttons) {
    const leave = ["Leave", () => (this.leave(), this.page.reveal(), this.page.show())];
    byId("task-text").textContent = sentence;
    byId("task-buttons").replaceChildren(
      ...[...buttons, leave].map(([name, onclick]) => make("button", { type: "button", onclick }, name)),
    );
    byId("task").hidden = false;
  }
}
