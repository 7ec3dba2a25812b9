// Asking the gallery's server. Every answer is JSON, and every refusal has one sentence.

async function fetched(address, how) {
  try {
    return await fetch(address, how);
  } catch {
    throw new Error("the server does not answer; look at the terminal where it was started");
  }
}

export async function ask(path, query = {}) {
  const words = new URLSearchParams(query);
  const response = await fetched(`api/${path}${words.size ? `?${words}` : ""}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

// Begin to solve a game: where it is explored, or the problems with its parameters.
export async function solve(game, values) {
  const response = await fetched(`api/games/${game}/solve?${new URLSearchParams(values)}`, { method: "POST" });
  const answer = await response.json();
  if (!response.ok && !answer.problems) throw new Error(answer.detail);
  return answer;
}
