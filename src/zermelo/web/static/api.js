// Asking the server. Every answer is JSON, and every refusal has one sentence.

export async function ask(path, query = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined) words.append(name, each);
    }
  }
  const question = words.size ? `${path}?${words}` : path;
  let response;
  try {
    response = await fetch(`/api/${question}`);
  } catch {
    throw new Error("the server does not answer; look at the terminal where it was started");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

// Wait until the game is solved, telling how far it is.
export async function ready(tell) {
  for (;;) {
    const status = await ask("status");
    if (status.state === "ready") return;
    if (status.state === "failed") throw new Error(status.problem);
    tell(status);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
