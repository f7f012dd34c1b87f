import { agentRoutes, deviceRoutes, entryBytes, foldLedger, keyRoutes, type LedgerEntry } from '@parley/protocol';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { agent, certify, humanDevice, makeKeys, seeded, uuid } from '../../tests/harness.ts';
import { type Published, readVectors } from '../../tests/vectors.ts';
import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { generateEd25519, generateX25519 } from '../provider/crypto.ts';
import { nodeCrypto } from '../provider/node.ts';
import { proveDevice, verifyCertificate } from './device.ts';
import { chainVerifier } from './device-list.ts';
import { signEntry } from './ledger.ts';
import { signMode, verifyMode } from './mode.ts';
import { makeOneTimePrekeys, signPrekey, verifyPrekey } from './prekey.ts';
import { type Pin, verifyPrekeyBundle, type WirePrekeyBundle } from './prekey-bundle.ts';
import { signStatement, verifyStatement } from './statement.ts';

const crypto = seeded(nodeCrypto, 'statements');
const accountKey = generateEd25519(crypto);
const device = makeKeys(crypto, humanDevice(1));
const bot = makeKeys(crypto, agent(2));
const text = (key: { publicKey: Uint8Array }) => toBase64Url(key.publicKey);
const created = '2026-01-02T03:04:05.678Z';

const subject = {
  accountId: device.sender.id,
  deviceId: device.sender.device_id!,
  identityKey: device.identity.publicKey,
  exchangeKey: device.exchange.publicKey,
};
const certificate = certify(crypto, accountKey, { ...subject, createdAt: created });
const expected = {
  accountKey: text(accountKey),
  accountId: subject.accountId,
  deviceId: subject.deviceId,
  identity_key: text(device.identity),
  exchange_key: text(device.exchange),
};

describe('device certificates', () => {
  it('EE-14 those of the version before verify, with and without a device id', () => {
    const { deviceId: _, ...first } = subject;
    const early = certify(crypto, accountKey, { ...first, createdAt: created });
    const { certificate: form } = deviceRoutes.accountDevices.reply.properties.devices.items.properties;
    expect([certificate, early].map((one) => Compile(form).Check(one))).toEqual([true, true]);
    expect(verifyCertificate(crypto, certificate, expected)).toBe(true);
    expect(verifyCertificate(crypto, early, expected)).toBe(true);
  });

  it('EE-14 ghost device: a certificate of other keys, another device, account or signer is refused', () => {
    const ghost = generateX25519(crypto);
    expect(verifyCertificate(crypto, certificate, { ...expected, exchange_key: text(ghost) })).toBe(false);
    expect(verifyCertificate(crypto, certificate, { ...expected, identity_key: text(ghost) })).toBe(false);
    expect(verifyCertificate(crypto, certificate, { ...expected, deviceId: uuid(9) })).toBe(false);
    expect(verifyCertificate(crypto, certificate, { ...expected, accountId: uuid(9) })).toBe(false);
    expect(verifyCertificate(crypto, certificate, { ...expected, accountKey: text(device.identity) })).toBe(false);
    const forged = certify(crypto, device.identity, { ...subject, createdAt: created });
    expect(verifyCertificate(crypto, forged, expected)).toBe(false);
    expect(verifyCertificate(crypto, { ...certificate, created_at: '2027-01-01T00:00:00Z' }, expected)).toBe(false);
  });

  it('EE-14 a device proves a session to be its own', () => {
    const proof = proveDevice(crypto, device.identity, { accountId: subject.accountId, sessionId: uuid(7) });
    const statement = {
      purpose: 'parley-device-bind-v1',
      account_id: subject.accountId,
      session_id: uuid(7),
      identity_key: text(device.identity),
    };
    expect(verifyStatement(crypto, statement, { publicKey: text(device.identity), signature: proof })).toBe(true);
  });
});

describe('prekeys and bundles', () => {
  const prekey = { keyId: 1, publicKey: bot.signedPrekeys.get(1)!.publicKey };
  const signed = signPrekey(crypto, bot.identity, prekey);
  const pin: Pin = { kind: 'agent', id: bot.sender.id, identityKey: text(bot.identity) };
  const bundle: WirePrekeyBundle = {
    kind: 'agent',
    id: bot.sender.id,
    identity_key: text(bot.identity),
    exchange_key: text(bot.exchange),
    signed_prekey: signed,
    one_time_prekey: { key_id: 3, public_key: text(bot.oneTimePrekeys.get(3)!) },
  };

  it('EE-5 an upload fits the form the server takes', () => {
    const { keys, upload } = makeOneTimePrekeys(crypto, { firstId: 7, count: 3 });
    expect(Compile(keyRoutes.putKeys.body!).Check({ signed_prekey: signed, one_time_prekeys: upload })).toBe(true);
    expect(upload.map(({ key_id }) => key_id)).toEqual([7, 8, 9]);
    expect(upload[1]!.public_key).toBe(text(keys.get(8)!));
  });

  it('EE-5 a bundle of an agent is verified under its pinned identity key', () => {
    const verified = verifyPrekeyBundle(crypto, bundle, pin);
    expect(verified).toMatchObject({ ok: true, bundle: { signedPrekey: prekey, oneTimePrekey: { keyId: 3 } } });
    const without = verifyPrekeyBundle(crypto, { ...bundle, one_time_prekey: null }, pin);
    expect(without.ok && without.bundle).not.toHaveProperty('oneTimePrekey');
  });

  it('EE-5 substitute a prekey: one that the identity key did not sign is refused', () => {
    const evil = generateX25519(crypto);
    const swapped = [
      { ...signed, public_key: text(evil) },
      { ...signed, key_id: 2 },
      signPrekey(crypto, generateEd25519(crypto), { keyId: 1, publicKey: evil.publicKey }),
    ];
    for (const signed_prekey of swapped) {
      expect(verifyPrekeyBundle(crypto, { ...bundle, signed_prekey }, pin)).toEqual({ ok: false, problem: 'prekey' });
      expect(verifyPrekey(crypto, signed_prekey, text(bot.identity))).toBe(false);
    }
  });

  it('EE-9 substitute the identity: a malicious server swaps the keys of an agent', () => {
    const evil = generateEd25519(crypto);
    const swapped = { ...bundle, identity_key: text(evil), signed_prekey: signPrekey(crypto, evil, prekey) };
    expect(verifyPrekeyBundle(crypto, swapped, pin)).toEqual({ ok: false, problem: 'identity_changed' });
    expect(verifyPrekeyBundle(crypto, { ...bundle, id: uuid(9) }, pin)).toEqual({ ok: false, problem: 'other' });
    expect(verifyPrekeyBundle(crypto, { ...bundle, kind: 'device' }, pin)).toEqual({ ok: false, problem: 'other' });
  });

  it('EE-18 ghost device: a bundle with other keys than the list names is refused', () => {
    const own: WirePrekeyBundle = {
      ...bundle,
      kind: 'device',
      id: subject.deviceId,
      identity_key: text(device.identity),
      exchange_key: text(device.exchange),
      signed_prekey: signPrekey(crypto, device.identity, prekey),
    };
    const listed: Pin = {
      kind: 'device',
      id: own.id,
      identityKey: text(device.identity),
      exchangeKey: text(device.exchange),
    };
    expect(verifyPrekeyBundle(crypto, own, listed).ok).toBe(true);
    const ghost = generateEd25519(crypto);
    const changed = { ok: false, problem: 'identity_changed' };
    const served = { ...own, identity_key: text(ghost), signed_prekey: signPrekey(crypto, ghost, prekey) };
    expect(verifyPrekeyBundle(crypto, served, listed)).toEqual(changed);
    const swapped = { ...own, exchange_key: text(generateX25519(crypto)) };
    expect(verifyPrekeyBundle(crypto, swapped, listed)).toEqual(changed);
    expect(verifyPrekeyBundle(crypto, { ...own, id: uuid(9) }, listed)).toEqual({ ok: false, problem: 'other' });
  });

  it('EE-5 missing or malformed keys are told apart', () => {
    expect(verifyPrekeyBundle(crypto, { ...bundle, signed_prekey: null }, pin)).toEqual({
      ok: false,
      problem: 'prekey_missing',
    });
    const short = { ...bundle, exchange_key: 'AAAA' };
    expect(verifyPrekeyBundle(crypto, short, pin)).toEqual({ ok: false, problem: 'malformed' });
    const odd = { ...bundle, one_time_prekey: { key_id: 1, public_key: 'B'.repeat(43) } };
    expect(verifyPrekeyBundle(crypto, odd, pin)).toEqual({ ok: false, problem: 'malformed' });
  });
});

describe('connection modes and the ledger', () => {
  it('EE-7 a mode fits the form the server takes; another mode, agent, exchange key or signer does not verify', () => {
    const mode = { agentId: bot.sender.id, mode: 'websocket', exchangeKey: text(bot.exchange) } as const;
    const signature = signMode(crypto, bot.identity, mode);
    const by = { identityKey: text(bot.identity), signature };
    const body = {
      identity_key: text(bot.identity),
      exchange_key: text(bot.exchange),
      connection_mode: 'websocket',
      connection_mode_signature: signature,
    };
    expect(Compile(agentRoutes.setIdentity.body!).Check(body)).toBe(true);
    expect(verifyMode(crypto, mode, by)).toBe(true);
    expect(verifyMode(crypto, { ...mode, mode: 'webhook' }, by)).toBe(false);
    expect(verifyMode(crypto, { ...mode, agentId: uuid(9) }, by)).toBe(false);
    expect(verifyMode(crypto, { ...mode, exchangeKey: text(device.exchange) }, by)).toBe(false);
    expect(verifyMode(crypto, mode, { ...by, identityKey: text(device.identity) })).toBe(false);
  });

  it('EE-6 the signatures of the published ledger are the ones we make and verify', () => {
    const { devices, entries: published } = readVectors<{
      devices: Record<string, { seed: string; public_key: string }>;
      entries: Published<LedgerEntry>;
    }>('ledger');
    const signerOf = (id: string) => devices[id] && { key: devices[id].public_key };
    const entries = ['grant', 'signed anew', 'stolen: less', 'given back'].map((name) => published[name]!.statement);
    for (const entry of entries) {
      const { seed, public_key } = devices[entry.device_id]!;
      const pair = { privateKey: fromBase64Url(seed)!, publicKey: fromBase64Url(public_key)! };
      // Those of the old form are no longer made, only read.
      if (entry.version === 2) expect(signEntry(crypto, entry, pair).signature).toBe(entry.signature);
    }
    const reading = { relationId: entries[0]!.relation_id, signerOf, verify: chainVerifier(crypto) };
    expect(foldLedger(entries, reading)).toMatchObject({ ok: true, length: entries.length });
    const forged = [{ ...entries[0]!, manifest_version: 2 }];
    expect(foldLedger(forged, reading)).toEqual({ ok: false, problem: 'signature', seq: 1 });
  });

  it('EE-3 cross-protocol: a signature made for one purpose fits no other', () => {
    const statement = { purpose: 'parley-connection-mode-v1', agent_id: uuid(1), connection_mode: 'webhook' };
    const signature = signStatement(crypto, statement, device.identity);
    const by = { publicKey: text(device.identity), signature };
    expect(verifyStatement(crypto, { ...statement, purpose: 'parley-device-bind-v1' }, by)).toBe(false);
    const bytes = entryBytes(statement as unknown as LedgerEntry);
    expect(chainVerifier(crypto)(by.publicKey, bytes, signature)).toBe(false);
    expect(() => signStatement(crypto, { agent_id: uuid(1) }, device.identity)).toThrow('statement.purpose');
  });
});
