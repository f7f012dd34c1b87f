import { createDeferred } from '@parley/base';
import {
  type ConnectionMode,
  generateEd25519,
  generateX25519,
  keyFingerprint,
  signMode,
  toBase64Url,
} from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { agentRoutes } from '@parley/protocol';
import { newTimedId } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import { bindAgent } from './agents.ts';

const AGENT = newTimedId();

/** Keys that someone offers as the agent's, with all signatures in order. */
function makeOffer(mode: ConnectionMode = 'websocket', identity = generateEd25519(crypto)) {
  const exchangeKey = toBase64Url(generateX25519(crypto).publicKey);
  return {
    key: toBase64Url(identity.publicKey),
    fingerprint: keyFingerprint(crypto, { id: AGENT, key: identity.publicKey }),
    row: {
      identity_key: toBase64Url(identity.publicKey),
      exchange_key: exchangeKey,
      connection_mode: mode,
      connection_mode_signature: signMode(crypto, identity, { agentId: AGENT, mode, exchangeKey }),
    },
  };
}

const [agent, thief] = [makeOffer(), makeOffer()];
let bench: Bench;
/** What the server answers, one after the other; the last one from then on. */
let answers: unknown[];
beforeEach(() => {
  answers = [agent.row];
  bench = new Bench().serve(agentRoutes.readAgent, () => (answers.length > 1 ? answers.shift() : answers[0]));
});
const bind = (fingerprint?: string) =>
  bindAgent(bench.deps, AGENT, fingerprint === undefined ? undefined : { fingerprint });
const pinned = () => bench.deps.pins.peek('agent', AGENT);

describe('EE-21 a fingerprint', () => {
  it('EE-21 is checked on the very bytes that are pinned: one fetch, one check, one pin', async () => {
    answers = [agent.row, thief.row];
    expect(await bind(agent.fingerprint)).toMatchObject({ trust: { state: 'ok', key: agent.key, verified: true } });
    expect(bench.asked).toHaveLength(1);
    expect(pinned()).toMatchObject({ key: agent.key, verified: true });
  });

  it('EE-21 attack: the server offers another key from the second request on', async () => {
    answers = [agent.row, thief.row];
    await bind(agent.fingerprint);
    expect(await bind()).toMatchObject({
      trust: { state: 'identity_changed', known: agent.key, offered: thief.key },
      contact: undefined,
    });
    expect(pinned()).toMatchObject({ key: agent.key, verified: true });
  });

  it('EE-21 attack: the server offers its own key first, and the right one once that was refused', async () => {
    answers = [thief.row, agent.row];
    const refused = { state: 'fingerprint', offered: thief.key };
    expect(await bind(agent.fingerprint)).toEqual({ trust: refused, contact: undefined });
    expect(bench.asked).toHaveLength(1);
    expect(pinned()).toBeUndefined();
    expect(await bind(agent.fingerprint)).toMatchObject({ trust: { state: 'ok', verified: true } });
  });

  it('EE-21 attack: two lookups at once get different keys; what was checked is what is pinned', async () => {
    for (const isCheckedFirst of [true, false]) {
      bench = new Bench();
      const [one, two] = [createDeferred<unknown>(), createDeferred<unknown>()];
      const waiting = [one.promise, two.promise];
      bench.serve(agentRoutes.readAgent, () => waiting.shift());
      const checked = bind(agent.fingerprint);
      const seen = bind();
      // Both answers arrive together, in either order.
      const answer = [() => one.resolve(agent.row), () => two.resolve(thief.row)];
      for (const reply of isCheckedFirst ? answer : answer.reverse()) reply();
      const [{ trust }, other] = await Promise.all([checked, seen]);
      if (trust.state === 'ok') {
        expect(pinned()).toMatchObject({ key: agent.key, verified: true });
        expect(other.trust).toMatchObject({ state: 'identity_changed' });
      } else {
        expect(trust).toMatchObject({ state: 'fingerprint' });
        expect(pinned()).toMatchObject({ key: thief.key, verified: false });
      }
    }
  });

  it('EE-21 a key that was pinned at first contact becomes verified by it, and no other', async () => {
    await bind();
    expect(pinned()).toMatchObject({ key: agent.key, verified: false });
    expect(await bind(thief.fingerprint)).toMatchObject({ trust: { state: 'fingerprint' } });
    expect(pinned()).toMatchObject({ verified: false });
    expect(await bind(agent.fingerprint)).toMatchObject({ trust: { verified: true } });
    bench = await bench.restart();
    expect(await bind()).toMatchObject({ trust: { state: 'ok', verified: true } });
  });
});

describe('EE-9 the key of an agent', () => {
  it('EE-9 attack: another key is refused, and said so, also after a restart', async () => {
    await bind();
    bench = await bench.restart();
    answers = [thief.row];
    expect(await bind()).toMatchObject({ trust: { state: 'identity_changed' }, contact: undefined });
    const changed = { known: agent.key, offered: thief.key };
    expect(bench.problems).toEqual([{ kind: 'identity_changed', party: { kind: 'agent', id: AGENT }, ...changed }]);
  });

  it('EE-7 attack: a mode or an exchange key that the agent did not sign', async () => {
    for (const change of [
      { connection_mode: 'webhook' },
      { exchange_key: thief.row.exchange_key },
      { connection_mode_signature: null },
    ]) {
      answers = [{ ...agent.row, ...change }];
      expect(await bind()).toEqual({ trust: { state: 'mode_signature' }, contact: undefined });
    }
    answers = [{ ...agent.row, exchange_key: null }];
    expect(await bind()).toEqual({ trust: { state: 'no_keys' }, contact: undefined });
    answers = [{ ...agent.row, identity_key: 'AAAA' }];
    expect(await bind()).toEqual({ trust: { state: 'no_keys' }, contact: undefined });
    expect(pinned()).toBeUndefined();
  });

  it('EE-7 a weaker mode needs consent, although it is signed', async () => {
    const identity = generateEd25519(crypto);
    const [strong, weak] = [makeOffer('websocket', identity), makeOffer('webhook', identity)];
    answers = [strong.row, weak.row];
    await bind();
    const { key } = strong;
    expect(await bind()).toEqual({
      trust: { state: 'weaker_mode', key, verified: false, mode: 'websocket' },
      contact: undefined,
    });
    expect(bench.problems).toEqual([{ kind: 'weaker_mode', agentId: AGENT, known: 'websocket', offered: 'webhook' }]);
  });
});
