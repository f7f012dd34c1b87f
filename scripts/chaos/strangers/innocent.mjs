import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../parties.mjs';
import { createPatient, openSocket, seal, startHost } from './client.mjs';
import { BAR, quantile, summarise } from './measure.mjs';

/** Of the agents that anyone may find: one with a webhook, and one whose endpoint is down. */
export const HOOKED = 'Wes';
export const DOWN = 'Don';

const MESSAGE_EVERY_MS = 100;
const WEBHOOK_EVERY_MS = 400;
const NEWCOMER_EVERY_MS = 1_000;

/**
 * A person and an agent who write to each other, and an agent with a webhook. What is sent at a time is sent whether or not
 * the one before was answered: else a server that stops for ten seconds would be measured once.
 */
export async function createInnocent(url) {
  const call = createPatient(url, '203.0.113.7');
  const person = await signUp(call, 'Ivy');
  const agent = await createAgent(call, person, 'Ida');
  const hooked = await createAgent(call, person, HOOKED, 'webhook');
  const sent = new Map();
  const webhooks = [];
  const messages = [];
  const newcomers = [];
  const host = await startHost(async (text) => {
    const id = /"client_message_id":"([^"]+)"/.exec(text)?.[1];
    const waiting = webhooks.find((one) => one.id === id);
    if (waiting !== undefined) waiting.ms ??= performance.now() - waiting.at;
  });
  const setHook = ({ id }, { url }) => call('PUT', `/agents/${id}/webhook`, { token: person.token, body: { url } });
  await setHook(hooked, host);
  // Nobody writes to it in peace.
  const dead = await startHost(() => Promise.reject(new Error('this endpoint is down')));
  await setHook(await createAgent(call, person, DOWN, 'webhook'), dead);
  const meet = async (other) => {
    const body = { agent_id: other.id, granted_scopes: [] };
    return (await call('POST', '/h2a/relations', { token: person.token, body })).conversation_id;
  };
  const talk = await meet(agent);
  const hookTalk = await meet(hooked);
  const refusals = {};
  const onFrame = (frame) => {
    const waiting = sent.get(frame.client_message_id);
    if (frame.type === 'message.ack' && waiting !== undefined) waiting.ms ??= performance.now() - waiting.at;
    if (frame.type === 'error') refusals[frame.code] = (refusals[frame.code] ?? 0) + 1;
  };
  const sockets = [await openSocket(url, { party: person, onFrame }), await openSocket(url, { party: agent, onFrame })];
  for (const socket of sockets) socket.on('error', () => {});

  const write = (socket, party, conversation, list) => {
    const envelope = seal(party.sender, conversation);
    const record = { id: envelope.header.client_message_id, at: performance.now(), ms: undefined };
    list.push(record);
    if (list === messages) sent.set(record.id, record);
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'send', envelope }));
  };
  const knock = async () => {
    const record = { at: performance.now(), ms: undefined };
    newcomers.push(record);
    try {
      // A connection of its own, as someone who comes for the first time has.
      await fetch(`${url}/health`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(BAR.recoveryMs) });
      record.ms = performance.now() - record.at;
    } catch {
      // Without an answer it counts as still waiting.
    }
  };
  let turn = 0;
  const timers = [
    setInterval(() => {
      const who = turn++ % 2;
      write(sockets[who], [person, agent][who], talk, messages);
    }, MESSAGE_EVERY_MS),
    setInterval(() => write(sockets[0], person, hookTalk, webhooks), WEBHOOK_EVERY_MS),
    setInterval(() => void knock(), NEWCOMER_EVERY_MS),
  ];

  const collect = (list, from, to) =>
    list.filter(({ at }) => at >= from && at < to).map(({ at, ms }) => ms ?? performance.now() - at);
  return {
    refusals,
    /** What was sent between two times; what has no answer yet has waited until now. */
    summarise: (from, to) => ({
      ack: summarise(collect(messages, from, to)),
      webhook: summarise(collect(webhooks, from, to)),
      newcomer: summarise(collect(newcomers, from, to)),
    }),
    /** How long after `from` it takes until everything is answered and as fast as before; undefined if not in time. */
    recover: async (from, quiet) => {
      const limit = Math.max(BAR.ratio * quiet.median, 30);
      for (;;) {
        await sleep(MESSAGE_EVERY_MS);
        const now = performance.now();
        const last = messages.filter(({ at }) => at >= from && at < now - limit).slice(-8);
        const owed = [...messages, ...webhooks].filter(({ at, ms }) => at < now - BAR.webhookMs && ms === undefined);
        if (
          last.length === 8 &&
          quantile(
            last.map(({ ms }) => ms ?? BAR.recoveryMs),
            0.5,
          ) <= limit &&
          owed.length === 0
        )
          return last[0].at - from;
        if (now - from > BAR.recoveryMs) return undefined;
      }
    },
    close: () => {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.terminate();
      host.close();
      dead.close();
    },
  };
}
