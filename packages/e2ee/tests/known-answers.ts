import { toBase64Url, utf8 } from '../src/bytes.ts';
import { type Crypto, generateEd25519 } from '../src/provider/crypto.ts';
import { keyFingerprint, safetyNumber } from '../src/safety-number.ts';
import { signMode } from '../src/statements/mode.ts';
import { signPrekey } from '../src/statements/prekey.ts';
import { sealDelta, startStream } from '../src/stream.ts';
import { makeDeviceList } from './answers/device-list.ts';
import { makeGroupChain } from './answers/group-chain.ts';
import { makeLedger } from './answers/ledger.ts';
import { makePairing } from './answers/pairing.ts';
import { makeRecovery } from './answers/recovery.ts';
import { agent, CONVERSATION, certify, Endpoint, humanDevice, seeded, uuid } from './harness.ts';
import { Transcript } from './transcript.ts';

// What is published in vectors/e2ee and vectors/ledger, made by a provider. Runs in Node and in a page.

function setUp(base: Crypto, name: string) {
  const transcript = new Transcript(base, name);
  const bot = transcript.add(new Endpoint(transcript.crypto, agent(1)));
  const phone = transcript.add(new Endpoint(transcript.crypto, humanDevice(2)));
  const laptop = transcript.add(
    new Endpoint(transcript.crypto, { ...humanDevice(2), device_id: humanDevice(3).device_id! }),
  );
  return { transcript, bot, phone, laptop };
}

/** L1 to L3: two devices at once, both directions, an empty text and one that is not ASCII. */
function webhook(base: Crypto) {
  const { transcript, bot, phone, laptop } = setUp(base, 'webhook');
  const mode = 'webhook';
  const first = transcript.seal(bot, [phone, laptop], { mode, text: '你好 👋' });
  transcript.open(phone, bot, first);
  transcript.open(laptop, bot, first);
  transcript.open(bot, phone, transcript.seal(phone, [bot], { mode, text: '' }));
  return transcript.toJson('webhook');
}

/** L1 to L5: with and without a one-time prekey, turns, disorder, a message left out, both beginning at once. */
function ratchet(base: Crypto) {
  const { transcript, bot, phone, laptop } = setUp(base, 'ratchet');
  transcript.begin(bot, phone, 2);
  transcript.begin(bot, laptop);
  transcript.begin(phone, bot, 1);
  const first = transcript.seal(bot, [phone, laptop], { text: 'one' });
  const atOnce = transcript.seal(phone, [bot], { text: 'at once' });
  transcript.open(phone, bot, first);
  transcript.open(laptop, bot, first);
  transcript.open(bot, phone, atOnce);
  const sent = ['two', 'three', 'four', 'five'].map((text) => transcript.seal(bot, [phone], { text }));
  for (const index of [2, 0, 1]) transcript.open(phone, bot, sent[index]!);
  for (const text of ['six', 'seven']) transcript.open(bot, phone, transcript.seal(phone, [bot], { text }));
  transcript.open(phone, bot, transcript.seal(bot, [phone], { text: 'eight' }));
  transcript.open(phone, bot, sent[3]!);
  return transcript.toJson('ratchet');
}

/** EE-12: a key for three devices, an answer under it, a rotation when one leaves. */
function group(base: Crypto) {
  const { transcript, bot, phone, laptop } = setUp(base, 'group');
  const all = [bot, phone, laptop];
  for (const one of all) one.group = { conversationId: CONVERSATION, keys: [] };
  transcript.begin(phone, bot, 1);
  transcript.begin(phone, laptop, 1);
  const first = transcript.seal(phone, [bot, laptop], { text: 'one' });
  transcript.open(bot, phone, first);
  transcript.open(laptop, phone, first);
  const answer = transcript.seal(bot, [phone, laptop], { text: 'two' });
  transcript.open(phone, bot, answer);
  transcript.begin(laptop, bot, 2);
  transcript.open(laptop, bot, answer);
  transcript.open(bot, phone, transcript.seal(phone, [bot, laptop], { text: 'the second of the phone' }));
  transcript.open(phone, laptop, transcript.seal(laptop, [phone], { text: 'without the bot' }));
  return transcript.toJson('group');
}

function statements(base: Crypto) {
  const crypto = seeded(base, 'statements');
  const [account, identity] = [generateEd25519(crypto), generateEd25519(crypto)];
  const exchangeKey = crypto.x25519PublicKey(crypto.randomBytes(32));
  const text = toBase64Url;
  const subject = { accountId: uuid(1), deviceId: uuid(2), identityKey: identity.publicKey, exchangeKey };
  const createdAt = '2026-01-02T03:04:05.678Z';
  const certificate = certify(crypto, account, { ...subject, createdAt });
  const prekey = signPrekey(crypto, identity, { keyId: 7, publicKey: exchangeKey });
  const party = { id: uuid(1), key: account.publicKey };
  const other = { id: uuid(3), key: identity.publicKey };
  return {
    account_key: text(account.publicKey),
    identity_key: text(identity.publicKey),
    certificate,
    signed_prekey: prekey,
    connection_modes: (['websocket', 'polling', 'webhook'] as const).map((mode) => ({
      agent_id: uuid(3),
      connection_mode: mode,
      exchange_key: text(exchangeKey),
      signature: signMode(crypto, identity, { agentId: uuid(3), mode, exchangeKey: text(exchangeKey) }),
    })),
    fingerprints: [party, other].map(({ id, key }) => ({
      id,
      key: text(key),
      fingerprint: keyFingerprint(crypto, { id, key }),
    })),
    safety_number: safetyNumber(crypto, party, other),
  };
}

/** Live text: two streams of one key, each by its sender, in three deltas, signed. */
function stream(base: Crypto) {
  const crypto = seeded(base, 'stream');
  const streamKey = crypto.randomBytes(32);
  const streams = [agent(1), humanDevice(2)].map((sender) => {
    const place = { conversationId: CONVERSATION, streamId: uuid(9), sender };
    const identity = generateEd25519(crypto);
    let state = startStream(crypto, streamKey, place);
    const deltas = ['Hel', '', 'lo 👋'].map((text) => {
      const plaintext = utf8(text);
      const delta = sealDelta(crypto, state, { plaintext, identity });
      state = delta.state;
      return { index: delta.index, plaintext: toBase64Url(plaintext), sealed: toBase64Url(delta.sealed) };
    });
    const keys = { private_key: toBase64Url(identity.privateKey), public_key: toBase64Url(identity.publicKey) };
    return { conversation_id: CONVERSATION, stream_id: uuid(9), sender, identity: keys, deltas };
  });
  return { stream_key: toBase64Url(streamKey), streams };
}

const MAKERS = {
  webhook,
  ratchet,
  group,
  statements,
  stream,
  'device-list': makeDeviceList,
  'group-chain': makeGroupChain,
  pairing: makePairing,
  recovery: makeRecovery,
  ledger: makeLedger,
};
export type KnownAnswer = keyof typeof MAKERS;
export const KNOWN_ANSWERS = Object.keys(MAKERS) as KnownAnswer[];

/** Where it is published, below `vectors/`. */
export const pathOf = (name: KnownAnswer) => (name === 'ledger' ? 'ledger/chain.json' : `e2ee/${name}.json`);

/** The text that is published. */
export function makeKnownAnswer(name: KnownAnswer, crypto: Crypto): string {
  return `${JSON.stringify(MAKERS[name](crypto), null, 2)}\n`;
}
