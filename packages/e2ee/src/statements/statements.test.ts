import { readFileSync } from 'node:fs';
import { agentRoutes, deviceRoutes, entryBytes, foldLedger, keyRoutes, type LedgerEntry } from '@parley/protocol';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { agent, humanDevice, makeKeys, seeded, uuid } from '../../tests/harness.ts';
import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { generateEd25519, generateX25519 } from '../provider/crypto.ts';
import { nodeCrypto } from '../provider/node.ts';
import { certifyDevice, proveDevice, signAccountKey, verifyAccountKey, verifyCertificate } from './device.ts';
import { entryVerifier, signEntry } from './ledger.ts';
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
const certificate = certifyDevice(crypto, accountKey, { subject, createdAt: created });
const expected = {
  accountKey: text(accountKey),
  accountId: subject.accountId,
  deviceId: subject.deviceId,
  identity_key: text(device.identity),
  exchange_key: text(device.exchange),
};

describe('device certificates', () => {
  it('EE-14 fit the form the server takes, with and without a device id', () => {
    const { deviceId: _, ...first } = subject;
    const check = Compile(deviceRoutes.certifyDevice.body!);
    expect(check.Check({ certificate })).toBe(true);
    const early = certifyDevice(crypto, accountKey, { subject: first, createdAt: created });
    expect(check.Check({ certificate: early })).toBe(true);
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
    const forged = certifyDevice(crypto, device.identity, { subject, createdAt: created });
    expect(verifyCertificate(crypto, forged, expected)).toBe(false);
    expect(verifyCertificate(crypto, { ...certificate, created_at: '2027-01-01T00:00:00Z' }, expected)).toBe(false);
  });

  it('EE-14 the account key is replaced under the old one only', () => {
    const next = generateEd25519(crypto);
    const change = {
      account_id: subject.accountId,
      old_account_key: text(accountKey),
      new_account_key: text(next),
      created_at: created,
    };
    const signature = signAccountKey(crypto, change, accountKey);
    expect(
      Compile(deviceRoutes.replaceAccountKey.body!).Check({ account_key: text(next), created_at: created, signature }),
    ).toBe(true);
    expect(verifyAccountKey(crypto, change, signature)).toBe(true);
    expect(verifyAccountKey(crypto, change, signAccountKey(crypto, change, next))).toBe(false);
    expect(verifyAccountKey(crypto, { ...change, new_account_key: text(bot.identity) }, signature)).toBe(false);
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
    account_id: null,
    account_key: null,
    certificate: null,
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

  it('EE-14 ghost device: a bundle without a certificate under the pinned account key is refused', () => {
    const own: WirePrekeyBundle = {
      ...bundle,
      kind: 'device',
      id: subject.deviceId,
      account_id: subject.accountId,
      account_key: text(accountKey),
      certificate,
      identity_key: text(device.identity),
      exchange_key: text(device.exchange),
      signed_prekey: signPrekey(crypto, device.identity, prekey),
    };
    const devicePin: Pin = { kind: 'device', id: own.id, accountId: subject.accountId, accountKey: text(accountKey) };
    expect(verifyPrekeyBundle(crypto, own, devicePin).ok).toBe(true);
    expect(verifyPrekeyBundle(crypto, { ...own, certificate: null }, devicePin)).toEqual({
      ok: false,
      problem: 'uncertified',
    });
    const ghostKey = generateEd25519(crypto);
    const ghost = certifyDevice(crypto, ghostKey, { subject, createdAt: created });
    const served = { ...own, certificate: ghost, account_key: text(ghostKey) };
    expect(verifyPrekeyBundle(crypto, served, devicePin)).toEqual({ ok: false, problem: 'uncertified' });
    expect(verifyPrekeyBundle(crypto, { ...own, exchange_key: text(generateX25519(crypto)) }, devicePin).ok).toBe(
      false,
    );
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
    const url = new URL('../../../../vectors/ledger/chain.json', import.meta.url);
    const vectors = JSON.parse(readFileSync(url, 'utf8')) as {
      devices: Record<string, { seed: string; public_key: string }>;
      entries: { entry: LedgerEntry }[];
    };
    const keyOf = (id: string) => vectors.devices[id]?.public_key;
    const entries = vectors.entries.map(({ entry }) => entry);
    for (const entry of entries) {
      const { signature, ...unsigned } = entry;
      const { seed, public_key } = vectors.devices[entry.device_id]!;
      const pair = { privateKey: fromBase64Url(seed)!, publicKey: fromBase64Url(public_key)! };
      expect(signEntry(crypto, unsigned, pair).signature).toBe(signature);
    }
    const reading = { relationId: entries[0]!.relation_id, keyOf, verify: entryVerifier(crypto) };
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
    expect(entryVerifier(crypto)(by.publicKey, bytes, signature)).toBe(false);
    expect(() => signStatement(crypto, { agent_id: uuid(1) }, device.identity)).toThrow('statement.purpose');
  });
});
