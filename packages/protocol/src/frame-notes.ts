import type { ErrorCode } from './errors.ts';
import type { EventType } from './events.ts';
import type { CLIENT_FRAMES, CLOSE_CODES, SERVER_FRAMES } from './frames.ts';

/** What `docs/frames.md` says about a frame besides its fields, which come from the type itself. */
interface ClientFrameNote {
  readonly when: string;
  readonly answer: string;
  /** Codes of the `error` frame that may answer instead, besides those that any frame may get. */
  readonly errors: readonly ErrorCode[];
}
interface ServerFrameNote {
  readonly when: string;
  /** What the client should do; absent if nothing. */
  readonly then?: string;
}

const LIVE_ERRORS = ['NOT_FOUND', 'RELATION_INACTIVE', 'ACCOUNT_BLOCKED', 'RATE_LIMITED'] as const;

export const CLIENT_FRAME_NOTES = {
  auth: {
    when: 'First, once, within 5 seconds of opening the socket. `agent_id` may be given on an agent’s socket and must be the one in the address. Other frames may follow at once: up to 64 of them, and 64 KB in all, wait until the token was checked.',
    answer: '`auth.ok`, or `auth.error` and the socket closes with 4001.',
    errors: [],
  },
  'auth.renew': {
    when: 'Before the token expires, with a fresh token of the same person or agent.',
    answer: '`auth.ok` with the new end, or `auth.error` and the socket closes with 4001.',
    errors: [],
  },
  resume: {
    when: 'At any time after `auth`, best right behind it; nobody has to. It names what the client has although it has not acknowledged it: the last `conversation_seq` of each conversation and the last `event_id`. It only narrows what is pushed. A number that is lower than what was acknowledged or pushed on this socket changes nothing, nor does one that is higher than what exists, nor a conversation that the client is not in.',
    answer: 'Nothing.',
    errors: ['RATE_LIMITED'],
  },
  send: {
    when: 'To send a sealed message (chapter 5). The same `client_message_id` with the same envelope is the same message, however often it is sent.',
    answer: '`message.ack` once the message is on disk.',
    errors: [
      'NOT_FOUND',
      'RELATION_INACTIVE',
      'ACCOUNT_BLOCKED',
      'SENDER_MISMATCH',
      'MESSAGE_LABEL_INVALID',
      'MESSAGE_TIME_INVALID',
      'PAYLOAD_TOO_LARGE',
      'IDEMPOTENCY_CONFLICT',
      'IDENTITY_MISSING',
      'RATE_LIMITED',
    ],
  },
  ack: {
    when: 'When everything up to `seq` of this conversation was handled: it is not pushed to this device or agent again. A session without a registered device has nothing that could be stored, so an `ack` of it does nothing.',
    answer: 'Nothing.',
    errors: [],
  },
  'event.ack': {
    when: 'When every event up to `event_id` was handled.',
    answer: 'Nothing.',
    errors: [],
  },
  claim: {
    when: 'By a person’s device, before it runs or answers a tool call, so that only one device does (CG-11).',
    answer: '`claim.result`; the account’s other sockets get `message.claimed`.',
    errors: ['NOT_FOUND', 'FORBIDDEN', 'IDENTITY_MISSING'],
  },
  pass: {
    when: 'By a person’s device that cannot run a tool call.',
    answer: '`pass.result`, and perhaps `pass.last` later.',
    errors: ['NOT_FOUND', 'FORBIDDEN', 'IDENTITY_MISSING', 'NOT_A_TOOL_CALL', 'ALREADY_CLAIMED'],
  },
  typing: {
    when: 'While someone types. It is passed on to whoever is there and not stored.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  'stream.start': {
    when: 'To begin a stream, whose id the sender makes (TC-9). A socket has at most 16 at a time.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  'stream.delta': {
    when: 'For each part of a stream. One that is silent for 30 seconds, or older than 5 minutes, is aborted.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  'stream.done': {
    when: 'At the end of a stream; the whole text follows as a message with this `client_message_id`.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  'stream.abort': {
    when: 'When the sender gives up a stream.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  'stream.error': {
    when: 'When a stream failed.',
    answer: 'Nothing.',
    errors: LIVE_ERRORS,
  },
  ping: {
    when: 'To find out whether the server is there, where WebSocket pings cannot be sent, as in a browser.',
    answer: '`pong`.',
    errors: [],
  },
} as const satisfies Record<keyof typeof CLIENT_FRAMES, ClientFrameNote>;

export const SERVER_FRAME_NOTES = {
  'auth.ok': {
    when: 'The token of `auth` or `auth.renew` is good. After the first one the server pushes everything undelivered, then everything new. `expires_at` is null for a token that does not expire.',
    then: 'Send `auth.renew` before `expires_at`.',
  },
  'auth.error': {
    when: 'The token is not good (any more), or `auth` did not come. The socket closes with 4001.',
    then: 'Get another token, then open another socket.',
  },
  'message.new': {
    when: 'A message of someone else, or of another device of the same person: those that were not acknowledged, then new ones, in the order of `conversation_seq` within a conversation. On one socket each comes once.',
    then: 'Handle it, then `ack`. After a new connection it may come again: pass over a number that was handled.',
  },
  'message.ack': { when: 'A message of this socket is on disk: the answer to `send`.' },
  'message.gone': {
    when: 'These numbers were used, but what they carried is not kept any more.',
    then: 'Count them as handled; the next `ack` may include them.',
  },
  'message.claimed': {
    when: 'A device of the account has claimed a tool call (CG-11).',
    then: 'Stop asking about it on the others.',
  },
  'claim.result': { when: 'The answer to `claim`. False: another device has it. Asking again is answered as before.' },
  'pass.result': {
    when: 'The answer to `pass`. True: the account’s other connected devices have passed as well.',
    then: 'If true, answer the agent that nobody can run the call.',
  },
  'pass.last': {
    when: 'The device that was waited for after a `pass` has gone: as a `pass.result` of true, later.',
    then: 'Answer the agent that nobody can run the call.',
  },
  'message.read': { when: 'A member has read a conversation up to `seq`. Not stored.' },
  error: {
    when: 'A frame of this socket was refused. It has the fields of every error (TR-7) and names what it is about, as far as that could be read. Twenty frames that are none close the socket with 4000.',
  },
  typing: { when: 'A member is typing.' },
  'stream.start': { when: 'A member has begun a stream.' },
  'stream.delta': { when: 'A part of a stream. Parts may be left out for a socket that is slow.' },
  'stream.done': { when: 'A stream has ended; its text follows as a message.' },
  'stream.abort': {
    when: 'A stream ended early: its sender gave it up, or it was silent (`idle`), too long (`too_long`), or its socket is gone (`disconnected`).',
    then: 'Forget what came of it.',
  },
  'stream.error': { when: 'A stream failed.', then: 'Forget what came of it.' },
  pong: { when: 'The answer to `ping`.' },
  'server.closing': {
    when: 'The server stops. It finishes what it was sent and closes with 1001.',
    then: 'Open another socket (TR-2).',
  },
} as const satisfies Record<keyof typeof SERVER_FRAMES, ServerFrameNote>;

/** The events that come over sockets and polls. A webhook has names of its own for messages (TR-6). */
type SocketEvent = Exclude<EventType, 'message.new' | 'message.ack' | 'artifact_response'>;

export const EVENT_NOTES = {
  'h2a.reauth_required': {
    when: 'To every person with an active relation to the agent, and to the agent: its new manifest, or a weaker connection mode (`connection_mode`), needs their consent again (RL-8).',
    then: 'Ask the person, then `PATCH /h2a/relations/:id`. Until then these scopes count as not granted.',
  },
  'h2a.manifest_updated': { when: 'To the same: the agent has a new manifest that needs no consent (RL-8).' },
  'relation.established': { when: 'To the person and the agent: a relation has begun (RL-6).' },
  'relation.revoked': {
    when: 'To the person and the agent: a relation has ended. Where the agent itself has ended, it is told once, with the number of `relations`.',
  },
  'relation.suspended': { when: 'The same, for a relation that is paused.' },
  'relation.restored': { when: 'The same, for a relation that goes on.' },
  'agent.capability_changed': {
    when: 'To the person and the agent: the grants of a relation have changed; `answer` is what the person made of the scopes that were waiting (RL-9).',
  },
  'agent.unreachable': { when: 'To the owner: deliveries to the agent’s webhook failed for a day (TR-6).' },
  'device.changed': { when: 'To the account’s own devices: one was added, certified or revoked (EE-14).' },
  'account.devices_changed': {
    when: 'To everyone who shares a conversation with the account: its devices or its account key have changed (EE-14).',
    then: 'Seal what is sent next for the devices as they are now.',
  },
  'conversation.members_changed': {
    when: 'To the members, and to those who were removed.',
    then: 'If someone was removed, those who stay make a new group key (EE-12).',
  },
  'contact.requested': {
    when: 'To a person: someone asks to become a contact (AC-4).',
    then: 'Ask the person, then accept, decline or block.',
  },
  'contact.accepted': { when: 'To both: they are contacts now, and may write to each other (AC-4).' },
  'contact.changed': {
    when: 'To the account’s own devices: one of them has declined, blocked or unblocked someone, or replaced the code.',
    then: 'Read the requests and the blocked again.',
  },
  'group.invited': { when: 'To a person: they are invited into a group (AC-5).' },
  'group.invitation_accepted': {
    when: 'To the owner and the admins of a group whose members are signed: an invited person has accepted (AC-5).',
    then: 'The device that invited them signs them in; others ask their person.',
  },
} as const satisfies Record<SocketEvent, ServerFrameNote>;

export const CLOSE_CODE_NOTES = {
  goingAway: 'The server stops, or cannot check a token at the moment. Come back (TR-2).',
  badFrames: 'Too many frames that are none. Repair the client.',
  auth: 'See the `auth.error` before it.',
  tooSlow:
    'What was pushed was not read for 30 seconds, or too much waits to be read by all sockets of the account. Come back: nothing is lost.',
  replaced:
    'The person or agent has opened more than 20 other sockets, or the account more than its budget. Come back, but not soon.',
} as const satisfies Record<keyof typeof CLOSE_CODES, string>;
