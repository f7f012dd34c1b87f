import { randomUUID } from 'node:crypto';
import { CLIENT_FRAMES, type ClientFrame, EVENT_NOTES, EVENTS, SERVER_FRAMES } from '@parley/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, openSocket, type TestSocket } from './harness/socket.ts';
import { addBot, addDevice, addTalker, type Bot, relate, seal, sealToolCall, type Talker } from './harness/talk.ts';

let server: TestServer;
let ann: Talker;
let phone: Talker;
let bot: Bot;
let conversation_id: string;
beforeAll(async () => {
  server = await startTestServer();
  ann = await addTalker(server);
  phone = await addDevice(server, ann.id);
  await sql`update devices set listed = true`.execute(server.platform.db);
  bot = await addBot(server, ann);
  conversation_id = await relate(server, ann, bot);
});
afterAll(() => server.drop());

type Examples = { [Name in ClientFrame['type']]: Extract<ClientFrame, { type: Name }> };

/** One of each; the compiler counts them. */
function makeExamples(speaker: Talker | Bot): Examples {
  const stream = { conversation_id, stream_id: randomUUID() };
  const message = { conversation_id, message_id: randomUUID() };
  return {
    auth: { type: 'auth', token: speaker.token },
    'auth.renew': { type: 'auth.renew', token: speaker.token },
    resume: { type: 'resume', conversations: { [conversation_id]: 0 }, event_id: 0 },
    send: { type: 'send', envelope: seal(speaker, conversation_id) },
    ack: { type: 'ack', conversation_id, seq: 0 },
    'event.ack': { type: 'event.ack', event_id: 0 },
    claim: { type: 'claim', ...message },
    pass: { type: 'pass', ...message },
    typing: { type: 'typing', conversation_id },
    'stream.start': { type: 'stream.start', ...stream },
    'stream.delta': { type: 'stream.delta', ...stream, index: 0 },
    'stream.done': { type: 'stream.done', ...stream },
    'stream.abort': { type: 'stream.abort', ...stream },
    'stream.error': { type: 'stream.error', ...stream, code: 'FAILED' },
    ping: { type: 'ping' },
  };
}

/** Whether the server refuses it as no frame at all. */
async function isRefused(frame: object): Promise<boolean> {
  const socket = await connect(server, ann);
  socket.send(frame);
  socket.send({ type: 'ping' });
  const answers = socket.frames;
  await socket.until((frames) => frames.some(({ type }) => type === 'pong'));
  const refused = answers.some(({ type, code }) => type === 'error' && code === 'BAD_REQUEST');
  await socket.end();
  return refused;
}

describe('TR-1 the frames of the contract', () => {
  it('TR-1 the server takes every frame that is documented, and no other', async () => {
    const { auth, ...others } = makeExamples(ann);
    expect(Object.keys({ auth, ...others })).toEqual(Object.keys(CLIENT_FRAMES));
    const refused: string[] = [];
    for (const [type, frame] of Object.entries(others)) if (await isRefused(frame)) refused.push(type);
    expect(refused).toEqual([]);
    // The first one has been taken by then: a second is none.
    expect(await isRefused(auth)).toBe(true);
    const foreign = [...Object.keys(SERVER_FRAMES), ...Object.keys(EVENTS)].filter((type) => !(type in CLIENT_FRAMES));
    const taken: string[] = [];
    for (const type of foreign) if (!(await isRefused({ type }))) taken.push(type);
    expect(taken).toEqual([]);
  });

  it('TR-1 the server sends every frame that is documented, and no other', async () => {
    const sent = new Set<string>();
    const sockets: TestSocket[] = [];
    const note = ({ frames }: TestSocket) => {
      for (const { type } of frames) sent.add(type);
    };
    const join = async (speaker: Talker | Bot) => {
      sockets.push(await connect(server, speaker));
      return sockets.at(-1)!;
    };
    const stranger = await openSocket(server, '/ws/human');
    stranger.send({ type: 'auth', token: 'guessed' });
    await stranger.closed;
    const [desk, mobile, service] = [await join(ann), await join(phone), await join(bot)];
    const { send, typing, ...examples } = makeExamples(bot);
    service.send(send);
    await service.next('message.ack');
    service.send(typing);
    for (const end of ['stream.done', 'stream.abort', 'stream.error'] as const) {
      const stream_id = randomUUID();
      for (const type of ['stream.start', 'stream.delta', end] as const) service.send({ ...examples[type], stream_id });
      await desk.next(end);
    }
    service.send({ type: 'send', envelope: sealToolCall(bot, conversation_id) });
    const call = { message_id: (await desk.next((f) => f.msg_subtype === 'artifact_tool_call')).message_id };
    service.send({ type: 'send', envelope: sealToolCall(bot, conversation_id) });
    const other = await desk.next((f) => f.msg_subtype === 'artifact_tool_call' && f.message_id !== call.message_id);
    desk.send({ type: 'claim', conversation_id, ...call });
    await mobile.next('message.claimed');
    await desk.next('claim.result');
    mobile.send({ type: 'pass', conversation_id, message_id: other.message_id });
    await mobile.next('pass.result');
    desk.send({ type: 'ping' });
    desk.send('no frame');
    await desk.next('error');
    await desk.next('pong');
    const path = `/conversations/${conversation_id}/read`;
    await server.call('POST', path, { token: ann.token, body: { seq: 1 } });
    await mobile.next('message.read');
    await desk.end();
    await mobile.next('pass.last');
    await sql`update messages set envelope = null where seq = 1`.execute(server.platform.db);
    await (await join(phone)).next('message.gone');
    await server.close();
    await service.closed;
    for (const socket of [stranger, ...sockets]) note(socket);
    const events = new Set<string>(Object.keys(EVENT_NOTES));
    expect([...sent].filter((type) => !events.has(type)).sort()).toEqual(Object.keys(SERVER_FRAMES).sort());
  });
});
