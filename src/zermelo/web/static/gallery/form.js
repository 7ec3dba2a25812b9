// The form for a game's parameters. What is wrong stands beside the field, and the board is drawn
// as the parameters change.

import { byId, make } from "../page.js";
import { picture } from "../board/picture.js";
import { ask, solve } from "./asking.js";
import { editGraph } from "./editor.js";

const PATIENCE = 250; // milliseconds after the last key, until the form is looked at

let game;
let editor = null;
let looked = 0; // so that a late answer does not show
let waiting = null;

const inputOf = (name) => byId(`field-${name}`);

function values() {
  const found = {};
  for (const { name, sort, value } of game.fields) {
    const input = inputOf(name);
    const text = sort === "flag" ? String(input.checked) : input.value.trim();
    if (text !== value) found[name] = text;
    if (text === "" && value === "") delete found[name];
  }
  return found;
}

function fieldOf(field, given) {
  const { name, label: words, sort, about, required } = field;
  const value = given[name] ?? field.value;
  const id = `field-${name}`;
  const described = { id, name, "aria-describedby": `about-${name} wrong-${name}` };
  let input;
  if (sort === "flag") input = make("input", { type: "checkbox", ...described });
  else if (sort === "integer") input = make("input", { type: "number", step: 1, ...described });
  else if (sort === "list" || sort === "array" || value.length > 30) {
    input = make("textarea", { rows: Math.min(6, 1 + Math.ceil(value.length / 40)), spellcheck: "false", ...described });
  } else input = make("input", { type: "text", autocomplete: "off", spellcheck: "false", ...described });
  if (sort === "flag") input.checked = value === "true";
  else input.value = value;
  input.required = required && sort !== "flag";
  const label = make("label", { for: id }, words);
  const says = make("p", { class: "says", id: `about-${name}` }, about ? `${about.charAt(0).toUpperCase()}${about.slice(1)}.` : "");
  const wrong = make("p", { class: "wrong", id: `wrong-${name}`, role: "alert" });
  const place = field.graph ? make("div", { class: "editor-place" }) : null;
  return make("div", { class: `field ${sort}` }, label, input, says, wrong, place);
}

// Nodes that other fields name, so that the editor can show who begins where.
function tags() {
  const found = new Map();
  for (const { name, sort, about } of game.fields) {
    if (sort !== "integer" || !/\bnode\b/.test(about)) continue;
    const node = Number(inputOf(name).value);
    found.set(node, [...(found.get(node) ?? []), name]);
  }
  return found;
}

function makeEditor() {
  const field = game.fields.find(({ graph }) => graph);
  editor = null;
  if (!field) return;
  const input = inputOf(field.name);
  const place = input.closest(".field").querySelector(".editor-place");
  const directed = () => Boolean(inputOf("directed")?.checked);
  const onchange = (rows) => {
    input.value = JSON.stringify(rows);
    changed();
  };
  editor = editGraph(place, { directed, tags, onchange });
}

function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(look, PATIENCE);
  editor?.redraw();
  const words = new URLSearchParams({ game: game.name, ...values() });
  history.replaceState(null, "", `?${words}`);
}

function tell(problems) {
  for (const { name } of game.fields) {
    const sentence = problems[name] ?? "";
    byId(`wrong-${name}`).textContent = sentence;
    inputOf(name).setAttribute("aria-invalid", String(Boolean(sentence)));
  }
  const others = Object.entries(problems).filter(([name]) => !game.fields.some((field) => field.name === name));
  byId("form-problem").textContent = others.map(([, sentence]) => sentence).join(" ");
}

async function look() {
  const ticket = ++looked;
  const found = await ask(`games/${game.name}/look`, values());
  if (ticket !== looked) return;
  tell(found.problems);
  byId("preview-section").hidden = !found.svg;
  if (found.svg) editor?.show(found.graph);
  if (!found.svg) return;
  byId("game-title").textContent = found.title;
  document.title = found.title;
  const svg = picture(found.svg);
  for (const spot of svg.querySelectorAll("[data-move]")) spot.removeAttribute("data-move");
  svg.setAttribute("role", "img");
  byId("preview").replaceChildren(svg);
}

async function submit(event) {
  event.preventDefault();
  byId("solve").disabled = true;
  byId("solve").textContent = "Beginning to solve…";
  try {
    const found = await solve(game.name, values());
    if (found.address) {
      location.href = found.address;
      return;
    }
    tell(found.problems);
    const [first] = Object.keys(found.problems);
    (inputOf(first) ?? byId("form-problem")).scrollIntoView({ block: "center" });
    inputOf(first)?.focus();
  } catch (error) {
    byId("form-problem").textContent = error.message;
  } finally {
    byId("solve").disabled = false;
    byId("solve").textContent = "Solve and explore";
  }
}

export async function showForm(name, given) {
  game = await ask(`games/${name}`);
  byId("game-title").textContent = game.title;
  document.title = game.title;
  byId("game-kind").textContent = game.kind;
  byId("instructions").replaceChildren(...game.instructions.map((text) => make("p", {}, text)));
  byId("fields").replaceChildren(...game.fields.map((field) => fieldOf(field, given)));
  byId("parameters-title").hidden = !game.fields.length;
  byId("preview").replaceChildren();
  for (const { name: each } of game.fields) inputOf(each).addEventListener("input", changed);
  makeEditor();
  byId("form").onsubmit = submit;
  tell({});
  look().catch((error) => {
    byId("form-problem").textContent = error.message;
  });
}
