// Where the page has its data from. Each question is a method of `source`, and answers with the
// document of the same name in the reference of the JSON interface; a refusal is an Error with one
// sentence. What answers without a server has the same methods and is put in place by `use`.

async function ask(path, query = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined) words.append(name, each);
    }
  }
  let response;
  try {
    response = await fetch(`api/${path}${words.size ? `?${words}` : ""}`);
  } catch {
    throw new Error("the server does not answer; look at the terminal where it was started");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

const anySeed = () => Math.floor(Math.random() * 2 ** 32);

const server = {
  status: () => ask("status"),
  game: () => ask("game"),
  statistics: () => ask("statistics"),
  read: (text) => ask("read", { text }),
  random: () => ask("random", { seed: anySeed() }),
  puzzle: () => ask("puzzle", { seed: anySeed() }),
  position: (code) => ask(`position/${code}`),
  settled: (code) => ask(`position/${code}/settled`),
  line: (code) => ask(`position/${code}/line`),
  tree: (code) => ask(`position/${code}/tree`),
  explanation: (code) => ask(`position/${code}/explanation`),
  answer: (code, skill) => ask(`position/${code}/answer`, { skill, seed: anySeed() }),
  roll: (code) => ask(`position/${code}/roll`, { seed: anySeed() }),
  match: ({ from, mover, move } = {}) => ask("match", { from, mover, move }),
  // Where a program finds the same; null where there is nothing.
  jsonOf: (code) => `api/position/${code}`,
  documentation: "api/openapi.json",
};

export let source = server;

export function use(other) {
  source = other;
}

// Wait until the game is solved, telling how far it is.
export async function ready(tell) {
  for (;;) {
    const status = await source.status();
    if (status.state === "ready") return;
    if (status.state === "failed") throw new Error(status.problem);
    tell(status);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
