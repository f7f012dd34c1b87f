import { type Crypto, fromBase64Url, isRatcheted, keyFingerprint, verifyMode } from '@parley/e2ee';
import { agentRoutes, type ReplyOf } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { Problem } from '../types.ts';
import type { Contact, TrustState } from './contact.ts';
import type { Pinned, Pins } from './pins.ts';

/** An agent, as far as its own signatures and what was pinned bear out what the server says. */
export interface BoundAgent {
  readonly trust: TrustState;
  readonly contact: Contact | undefined;
}

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly pins: Pins;
  readonly report: (problem: Problem) => void;
}

/** Complete and signed keys, as the server shows them. */
interface Offer {
  readonly identityKey: string;
  readonly exchangeKey: string;
  readonly mode: Contact['mode'];
  readonly signature: string | null;
}

/** With a fingerprint, exactly the key that is pinned must fit it: one fetch, one check, one pin (EE-21). */
export async function bindAgent(
  { api, crypto, pins, report }: Deps,
  agentId: string,
  expected?: { readonly fingerprint: string },
): Promise<BoundAgent> {
  const offer = toOffer(await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } }));
  await pins.get('agent', agentId);
  // At once, and no await from here on: another request may have brought another key.
  const pinned = pins.peek('agent', agentId);
  const refuse = (trust: TrustState): BoundAgent => ({ trust, contact: undefined });
  const key = pinned?.key ?? offer?.identityKey;
  if (expected !== undefined && key !== undefined) {
    const fingerprint = keyFingerprint(crypto, { id: agentId, key: fromBase64Url(key)! });
    if (fingerprint !== expected.fingerprint)
      return refuse({ state: 'fingerprint', offered: offer?.identityKey ?? '' });
  }
  if (offer === undefined) return refuse({ state: 'no_keys' });
  const { identityKey, exchangeKey, mode, signature } = offer;
  if (pinned !== undefined && pinned.key !== identityKey) {
    const changed = { known: pinned.key, offered: identityKey };
    report({ kind: 'identity_changed', party: { kind: 'agent', id: agentId }, ...changed });
    return refuse({ state: 'identity_changed', ...changed });
  }
  const isSigned = signature !== null && verifyMode(crypto, { agentId, mode, exchangeKey }, { identityKey, signature });
  if (!isSigned) return refuse({ state: 'mode_signature' });
  if (pinned?.mode !== undefined && isRatcheted(pinned.mode) && !isRatcheted(mode)) {
    report({ kind: 'weaker_mode', agentId, known: pinned.mode, offered: mode });
    const { key, verified } = pinned;
    return refuse({ state: 'weaker_mode', key, verified, mode: pinned.mode });
  }
  const verified = (pinned?.verified ?? false) || expected !== undefined;
  const pin: Pinned = { ...(pinned ?? { key: identityKey }), verified, mode };
  if (pinned?.mode !== mode || pinned.verified !== verified) pins.set('agent', agentId, pin);
  return {
    trust: { state: 'ok', key: pin.key, verified, mode },
    contact: {
      sender: { kind: 'agent', id: agentId },
      address: agentId,
      identityKey: fromBase64Url(identityKey)!,
      exchangeKey: fromBase64Url(exchangeKey)!,
      mode,
      pin: { kind: 'agent', id: agentId, identityKey },
    },
  };
}

function toOffer(agent: ReplyOf<typeof agentRoutes.readAgent>): Offer | undefined {
  const { identity_key, exchange_key, connection_mode: mode, connection_mode_signature: signature } = agent;
  if (identity_key === null || exchange_key === null) return undefined;
  const isKey = (text: string) => fromBase64Url(text)?.length === 32;
  if (!isKey(identity_key) || !isKey(exchange_key)) return undefined;
  return { identityKey: identity_key, exchangeKey: exchange_key, mode, signature };
}
