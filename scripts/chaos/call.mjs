import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPT_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 800;

export const pauseAfter = (attempt) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** A refusal that no outage explains. */
class Refused extends Error {
  constructor(method, path, { status, body }) {
    super(`${method} ${path} was refused: ${status} ${JSON.stringify(body)}`);
    this.status = status;
  }
}

/** One request, JSON in and out. Throws where there was no answer. */
async function request(base, method, path, { token, body, headers, timeout = ATTEMPT_MS }) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : JSON.parse(text),
    wait: Number(response.headers.get('retry-after')),
  };
}

/**
 * Asks one node after the other until one answers. Only for requests that may be repeated. `token` may be a function, for
 * tokens that change; `renew` is called when one has run out.
 */
export function createCaller({ urls, tally, isOver }) {
  let turn = 0;
  return async (method, path, { token, renew, ...options } = {}) => {
    let place = turn++;
    for (let attempt = 0; ; attempt++) {
      if (isOver()) throw new Error(`${method} ${path} was not answered before the time was over`);
      let pause = pauseAfter(attempt);
      try {
        const given = typeof token === 'function' ? token() : token;
        const reply = await request(urls[place % urls.length], method, path, { ...options, token: given });
        if (reply.status < 300) return reply.body;
        tally.answers[reply.status] = (tally.answers[reply.status] ?? 0) + 1;
        if (reply.status === 401 && renew !== undefined) await renew(given);
        else if (reply.status === 429) pause = (reply.wait || 1) * 1_000;
        else if (reply.status < 500) throw new Refused(method, path, reply);
      } catch (error) {
        if (error instanceof Refused) throw error;
        place++;
      }
      tally.retries++;
      await sleep(pause);
    }
  };
}
