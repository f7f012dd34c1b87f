import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import {
  createPeer,
  generateEd25519,
  generateX25519,
  type OwnKeys,
  open,
  type Peer,
  seal,
  startRatchetSession,
} from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import type { Header, Sender } from '@parley/protocol';
import * as mls from 'ts-mls';
import { type BenchRow, compare, type Samples } from './measure.ts';

const AIM_PEER = 5;
const AIM_LIMIT = 0.5;
const ROUNDS = 15;
const CALLS = 100;
const WARM_UP = 10;
const CONVERSATION = '01900000-0000-7000-8000-00000000c0de';
const PLAINTEXT = randomBytes(1024);

type Run = () => unknown;

/** Seals 1 KB for one device, writes it as JSON, reads it and opens it (EE-1 to EE-5). */
export async function* run(): AsyncIterable<BenchRow> {
  const peer = await mlsPair();
  const times = await measureAll({
    plain: talk('webhook', false),
    oneWay: talk('websocket', false),
    turns: talk('websocket', true),
    mlsOneWay: peer.oneWay,
    mlsTurns: peer.turns,
    limitPlain: limit({ keys: 1, agreements: 2, hmacs: 0 }),
    limitOneWay: limit({ keys: 0, agreements: 0, hmacs: 4 }),
    limitTurns: limit({ keys: 1, agreements: 2, hmacs: 4 }),
  });
  const rows: [string, Samples, Samples, Samples][] = [
    ['seal + open, no state', times.plain!, times.mlsOneWay!, times.limitPlain!],
    ['seal + open, ratchet', times.oneWay!, times.mlsOneWay!, times.limitOneWay!],
    ['seal + open, ratchet, taking turns', times.turns!, times.mlsTurns!, times.limitTurns!],
  ];
  for (const [name, ours, theirs, native] of rows) {
    yield compare(name, '1 KB, ts-mls', { ours, peer: theirs, atLeast: AIM_PEER });
    yield compare(name, '1 KB, native primitives (limit)', { ours, peer: native, atLeast: AIM_LIMIT });
  }
  const handshakes = await measureAll({ ours: handshake(), limit: limit({ keys: 3, agreements: 10, hmacs: 6 }) });
  const pair = { ours: handshakes.ours!, peer: handshakes.limit!, atLeast: AIM_LIMIT };
  yield compare('handshake + first message', '1 KB, native primitives (limit)', pair);
}

function makeKeys(sender: Sender): OwnKeys {
  return {
    sender,
    identity: generateEd25519(nodeCrypto),
    exchange: generateX25519(nodeCrypto),
    signedPrekeys: new Map([[1, generateX25519(nodeCrypto)]]),
    oneTimePrekeys: new Map([[1, generateX25519(nodeCrypto)]]),
  };
}

const peerOf = (keys: OwnKeys): Peer => createPeer(keys.sender, { identityKey: keys.identity.publicKey });

function makePair() {
  const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;
  const [bot, phone] = [
    makeKeys({ kind: 'agent', id: id(1) }),
    makeKeys({ kind: 'human', id: id(2), device_id: id(3) }),
  ];
  return [
    { own: bot, peer: peerOf(phone) },
    { own: phone, peer: peerOf(bot) },
  ];
}

function begin(own: OwnKeys, { peer, with: other }: { peer: Peer; with: OwnKeys }): Peer {
  const [signed, oneTime] = [other.signedPrekeys.get(1)!, other.oneTimePrekeys.get(1)!];
  const bundle = {
    identityKey: other.identity.publicKey,
    exchangeKey: other.exchange.publicKey,
    signedPrekey: { keyId: 1, publicKey: signed.publicKey },
    oneTimePrekey: { keyId: 1, publicKey: oneTime.publicKey },
  };
  return startRatchetSession(nodeCrypto, own, { peer, bundle })!;
}

let sent = 0;
function makeHeader(sender: Sender): Header {
  const n = sent++;
  return {
    version: 1,
    conversation_id: CONVERSATION,
    sender,
    client_message_id: `m-${n}`,
    content_type: 'text',
    msg_subtype: 'text',
    created_at: new Date(1_767_225_600_000 + n).toISOString(),
  };
}

type Side = ReturnType<typeof makePair>[number];

function pass(from: Side, to: Side, mode: 'webhook' | 'websocket'): void {
  const [keyId, { publicKey }] = [...to.own.signedPrekeys][0]!;
  const recipient =
    mode === 'webhook' ? { mode, peer: from.peer, prekey: { keyId, publicKey } } : { mode, peer: from.peer };
  const header = makeHeader(from.own.sender);
  const sealed = seal(nodeCrypto, from.own, { header, plaintext: PLAINTEXT, recipients: [recipient] });
  if (!sealed.ok) throw new Error(sealed.problem);
  from.peer = sealed.peers[0] ?? from.peer;
  const envelope: unknown = JSON.parse(JSON.stringify(sealed.envelope));
  const opened = open(nodeCrypto, envelope, { own: to.own, peer: to.peer, conversationId: CONVERSATION, mode });
  if (!opened.ok) throw new Error(opened.problem);
  to.peer = opened.peer;
}

function talk(mode: 'webhook' | 'websocket', turns: boolean): Run {
  const [bot, phone] = makePair() as [Side, Side];
  if (mode === 'websocket') {
    bot.peer = begin(bot.own, { peer: bot.peer, with: phone.own });
    pass(bot, phone, mode);
    pass(phone, bot, mode);
  }
  let [from, to] = [bot, phone];
  return () => {
    pass(from, to, mode);
    if (turns) [from, to] = [to, from];
  };
}

function handshake(): Run {
  const [bot, phone] = makePair() as [Side, Side];
  const { peer } = phone;
  return () => {
    bot.peer = begin(bot.own, { peer: { ...bot.peer, sessions: [] }, with: phone.own });
    phone.peer = peer;
    pass(bot, phone, 'websocket');
  };
}

/** Measures the primitives alone, with imported keys: a signature, its verification, and two layers of AES. */
export function limit({ keys, agreements, hmacs }: { keys: number; agreements: number; hmacs: number }): Run {
  const [identity, exchange, other] = [
    generateKeyPairSync('ed25519'),
    generateKeyPairSync('x25519'),
    generateKeyPairSync('x25519'),
  ];
  const key = randomBytes(32);
  const signed = randomBytes(2048);
  const encrypt = (plaintext: Uint8Array) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(cipher.getAuthTag());
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  };
  return () => {
    for (let count = 0; count < keys; count++) generateKeyPairSync('x25519');
    for (let count = 0; count < agreements; count++) {
      diffieHellman({ privateKey: exchange.privateKey, publicKey: other.publicKey });
    }
    for (let count = 0; count < hmacs; count++) createHmac('sha256', key).update(key).digest();
    encrypt(randomBytes(32));
    encrypt(PLAINTEXT);
    const signature = sign(null, signed, identity.privateKey);
    if (!verify(null, signed, identity.publicKey, signature)) throw new Error('signature');
  };
}

async function mlsPair(): Promise<{ oneWay: Run; turns: Run }> {
  const name = 'MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519';
  const impl = await mls.getCiphersuiteImpl(mls.getCiphersuiteFromName(name));
  const keyPackage = (identity: string) => {
    const credential = { credentialType: 'basic' as const, identity: new TextEncoder().encode(identity) };
    return mls.generateKeyPackage(credential, mls.defaultCapabilities(), mls.defaultLifetime, [], impl);
  };
  const makeGroup = async () => {
    const [alice, bob] = [await keyPackage('alice'), await keyPackage('bob')];
    const id = randomBytes(16);
    const group = await mls.createGroup(id, alice.publicPackage, alice.privatePackage, [], impl);
    const add = { proposalType: 'add' as const, add: { keyPackage: bob.publicPackage } };
    const commit = await mls.createCommit({ state: group, cipherSuite: impl }, { extraProposals: [add] });
    const { ratchetTree } = commit.newState;
    const joined = await mls.joinGroup(
      commit.welcome!,
      bob.publicPackage,
      bob.privatePackage,
      mls.emptyPskIndex,
      impl,
      ratchetTree,
    );
    return [{ state: commit.newState }, { state: joined }] as const;
  };
  type MlsSide = { state: mls.ClientState };
  const passMls = async (from: MlsSide, to: MlsSide) => {
    const message = await mls.createApplicationMessage(from.state, PLAINTEXT, impl);
    from.state = message.newState;
    const encoded = mls.encodeMlsMessage({
      privateMessage: message.privateMessage,
      wireformat: 'mls_private_message',
      version: 'mls10',
    });
    const [decoded] = mls.decodeMlsMessage(encoded, 0)!;
    if (decoded.wireformat !== 'mls_private_message') throw new Error('wireformat');
    const opened = await mls.processPrivateMessage(to.state, decoded.privateMessage, mls.emptyPskIndex, impl);
    to.state = opened.newState;
  };
  const [alice, bob] = await makeGroup();
  let [from, to] = await makeGroup();
  return {
    oneWay: () => passMls(alice, bob),
    turns: async () => {
      await passMls(from, to);
      [from, to] = [to, from];
    },
  };
}

/** Works like `measure` for asynchronous contenders: with interleaved rounds and the processor time of the whole process. */
async function measureAll(contenders: Readonly<Record<string, Run>>): Promise<Record<string, Samples>> {
  const entrants = Object.entries(contenders).map(([name, run]) => ({ name, run, samples: [] as number[] }));
  for (let round = 0; round < WARM_UP; round++) for (const { run } of entrants) await timeCalls(run);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const { run, samples } = entrants[(round + turn) % entrants.length]!;
      samples.push(await timeCalls(run));
    }
  }
  return Object.fromEntries(entrants.map(({ name, samples }) => [name, samples]));
}

async function timeCalls(run: Run): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) await run();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1) / 1e6 / CALLS;
}
