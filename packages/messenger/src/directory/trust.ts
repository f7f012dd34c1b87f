import { type Crypto, fromBase64Url, keyFingerprint, type Party, safetyNumber } from '@parley/e2ee';
import type { TrustState } from '../binding/contact.ts';
import { forgetList } from '../binding/device-lists.ts';
import type { HeldEntries } from '../binding/held-entries.ts';
import type { Pinned, Pins } from '../binding/pins.ts';
import { messengerError } from '../errors.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Trust, Trusted } from '../types.ts';
import type { Directory } from './directory.ts';

interface Deps {
  readonly crypto: Crypto;
  readonly directory: Directory;
  readonly pins: Pins;
  readonly writeBuffer: WriteBuffer;
  readonly held: HeldEntries;
  /** This side of a safety number: the agent, or the person's account. */
  readonly self: () => Promise<Party | undefined>;
  readonly ownAccount: string | undefined;
}

export function createTrust({ crypto, directory, pins, writeBuffer, held, self, ownAccount }: Deps): Trust {
  const toParty = (id: string, key: string): Party => ({ id, key: fromBase64Url(key)! });
  const toTrusted = (id: string, trust: TrustState): Trusted => {
    if (trust.state === 'ok' || trust.state === 'weaker_mode') {
      const { key, verified, mode } = trust;
      const fingerprint = keyFingerprint(crypto, toParty(id, key));
      const weaker = trust.state === 'weaker_mode' ? { weaker: true as const } : {};
      return { ok: true, key, fingerprint, verified, ...(mode === undefined ? {} : { mode }), ...weaker };
    }
    const { state: problem, ...rest } = trust;
    return { ok: false, problem, ...rest };
  };
  const verify = async (party: { kind: 'account' | 'agent'; id: string }): Promise<void> => {
    const pin = await pins.get(party.kind, party.id);
    if (pin === undefined) throw messengerError('NO_RECIPIENT');
    pins.set(party.kind, party.id, { ...pin, verified: true });
    directory.forget(party);
    await writeBuffer.saved();
  };

  return {
    agent: async (agentId, expected) => {
      if (expected === undefined) return toTrusted(agentId, (await directory.agent(agentId)).trust);
      const { trust } = await directory.agentWithFingerprint(agentId, expected.fingerprint);
      await writeBuffer.saved();
      return toTrusted(agentId, trust);
    },
    account: async (accountId) => toTrusted(accountId, (await directory.person(accountId)).trust),
    accept: async ({ kind, id }, key) => {
      if (fromBase64Url(key)?.length !== 32) throw new TypeError('key must be 32 bytes as base64url');
      // Its list comes from its own devices (EE-16). One that the server shows is somebody else's, whoever says yes to it.
      if (kind === 'account' && id === ownAccount) throw messengerError('OWN_IDENTITY');
      const pin = await pins.get(kind, id);
      // The mode is left out: with this key, the offered mode is accepted too.
      const isSame = pin?.key === key;
      const { revoked, list } = isSame ? pin : {};
      pins.set(kind, id, {
        key,
        verified: isSame && pin.verified,
        ...(revoked === undefined ? {} : { revoked }),
        ...(list === undefined ? {} : { list }),
      });
      if (!isSame && kind === 'account') forgetList(held, id);
      directory.forget({ kind, id });
      await writeBuffer.saved();
    },
    safetyNumber: async ({ kind, id }) => {
      const [own, pin] = [await self(), await pins.get(kind, id)];
      if (own === undefined || pin === undefined) throw messengerError('NO_RECIPIENT');
      return safetyNumber(crypto, own, toComparedParty(crypto, id, pin));
    },
    markVerified: verify,
    signer: directory.signer,
  };
}

/**
 * What a safety number says of a party (EE-9). Of an account with a list: its key and how the list begins. The key alone
 * would not do: a list of the server's own can end in it, because nobody need hold a key to rotate to it.
 */
export function toComparedParty(crypto: Crypto, id: string, { key, list }: Pinned): Party {
  if (list === undefined) return { id, key: fromBase64Url(key)! };
  const text = new TextEncoder().encode(`parley-account-v1\n${list.root}\n${key}`);
  return { id, key: crypto.sha256(text) };
}
