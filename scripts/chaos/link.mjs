import { createRequire } from 'node:module';
import { pauseAfter } from './call.mjs';

// A dependency of the server, not of the scripts.
const { WebSocket } = createRequire(new URL('../../packages/server/package.json', import.meta.url))('ws');

const HANDSHAKE_MS = 3_000;
const ACK_EVERY_MS = 150;
const RESEND_MS = 5_000;
/** Answers that mean: not now. */
const PASSING = new Set(['UNAVAILABLE', 'INTERNAL_ERROR', 'INTERNAL', 'RATE_LIMITED']);

/** A socket that comes back, on the next node, and resumes (TR-2). Pauses are shorter than a client's, to hit more often. */
export function createLink({ urls, party, consumer, journal, tally }) {
  const pending = new Map();
  let socket;
  let open = false;
  let stopped = false;
  let attempt = 0;
  let place = tally.links++;
  let timer;

  const connect = () => {
    const path = party.kind === 'agent' ? `/ws/agent?agent_id=${party.id}` : '/ws/human';
    const url = urls[place % urls.length].replace('http', 'ws') + path;
    const current = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS });
    socket = current;
    const token = party.token();
    current.on('open', () => {
      write({ type: 'auth', token });
      write({ type: 'resume', ...consumer.position() });
    });
    current.on('message', (data) => receive(JSON.parse(String(data)), token));
    current.on('error', () => {});
    current.on('close', () => {
      open = false;
      if (stopped) return;
      place++;
      tally.reconnects++;
      timer = setTimeout(connect, pauseAfter(attempt++));
    });
  };
  const write = (frame) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const receive = (frame, token) => {
    if (frame.type === 'auth.ok') begin();
    else if (frame.type === 'auth.error') refused(frame, token);
    else if (frame.type === 'message.new') consumer.handle(frame);
    else if (frame.type === 'message.ack') settle(frame);
    else if (frame.type === 'message.gone') consumer.gone(frame);
    else if (frame.type === 'error') failed(frame);
    else if (frame.event_id !== undefined) consumer.handleEvent(frame);
  };
  const begin = () => {
    open = true;
    attempt = 0;
    for (const [key] of pending) resend(key);
  };
  const refused = ({ reason }, token) => {
    if (reason === 'expired' || (reason === 'invalid_token' && party.renew)) void party.renew?.(token);
    else journal.fault('TR-1', `the socket of ${party.name} was refused: ${reason}`);
  };
  const resend = (key) => {
    const waiting = pending.get(key);
    if (waiting === undefined) return;
    tally.retries++;
    waiting.sent = performance.now();
    if (open) write({ type: 'send', envelope: waiting.envelope });
  };
  const settle = (ack) => {
    journal.acked(ack.client_message_id, ack);
    pending.get(ack.client_message_id)?.resolve();
    pending.delete(ack.client_message_id);
  };
  const failed = ({ code, client_message_id: key }) => {
    tally.answers[code] = (tally.answers[code] ?? 0) + 1;
    if (key === undefined || !pending.has(key)) return;
    if (PASSING.has(code)) setTimeout(() => resend(key), pauseAfter(2));
    else {
      pending.get(key).reject(new Error(`${party.name} was refused ${key}: ${code}`));
      pending.delete(key);
    }
  };
  const told = new Map();
  const acknowledge = () => {
    for (const [conversation_id, seq] of open ? consumer.last : []) {
      if (told.get(conversation_id) === seq) continue;
      write({ type: 'ack', conversation_id, seq });
      told.set(conversation_id, seq);
    }
    const old = performance.now() - RESEND_MS;
    for (const [key, { sent }] of pending) if (sent < old) resend(key);
  };
  const ticking = setInterval(acknowledge, ACK_EVERY_MS);
  connect();

  return {
    /** Resolves when it was acked, however often that takes. */
    send: (envelope) =>
      new Promise((resolve, reject) => {
        pending.set(envelope.header.client_message_id, { envelope, resolve, reject, sent: performance.now() });
        if (open) write({ type: 'send', envelope });
      }),
    close: () => {
      acknowledge();
      stopped = true;
      clearInterval(ticking);
      clearTimeout(timer);
      socket.close();
    },
  };
}
