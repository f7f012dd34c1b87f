import type { OwnKeys } from '@parley/e2ee';
import type { Sender } from '@parley/protocol';
import { isOutage } from '../api/api-error.ts';
import { messengerError } from '../errors.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Identity, MessengerOptions } from '../types.ts';
import { type AgentSetup, establishAgentIdentity } from './agent-identity.ts';
import { checkOwner, loadOwnKeys, type OwnKeysRecord } from './own-keys.ts';
import { loadPrekeys, type Prekeys } from './prekeys.ts';

const PUBLISH_MS = 60_000;

export interface OwnIdentity {
  readonly keys: OwnKeys;
  readonly prekeys: Prekeys;
  /** The account key that certified the device; undefined for an agent. */
  readonly accountKey: string | undefined;
  /** Uploads our keys and prekeys; called on every new connection. */
  publish(): Promise<void>;
}

function senderOf(identity: Identity): Sender {
  return identity.kind === 'agent'
    ? { kind: 'agent', id: identity.agentId }
    : { kind: 'human', id: identity.accountId, device_id: identity.deviceId };
}

export async function loadOwnIdentity(options: MessengerOptions, writeBuffer: WriteBuffer): Promise<OwnIdentity> {
  const { api, identity, store, platform } = options;
  const record = await establishIdentity(options);
  const deps = { api, crypto: platform.crypto, store, writeBuffer, identity: record.identity, now: platform.now };
  const prekeys = await loadPrekeys(deps);
  const sender = senderOf(identity);
  const keys: OwnKeys = {
    sender,
    identity: record.identity,
    exchange: record.exchange,
    signedPrekeys: prekeys.signed,
    oneTimePrekeys: prekeys.oneTime,
  };
  let published = 0;
  const publish = async (): Promise<void> => {
    const time = platform.now().getTime();
    // A connection that breaks often must not cause a request each time.
    if (Math.abs(time - published) < PUBLISH_MS) return;
    published = time;
    // An identity is replaced once, at the start, and never by a reconnect.
    const setup = { ...options, replaceIdentity: false };
    if (identity.kind === 'agent') await establishAgentIdentity(agentSetup(setup, identity.agentId));
    await prekeys.maintain();
  };
  // If its prekeys are on the server already, it can start without a network.
  if (prekeys.signed.size === 0) {
    await prekeys.maintain();
    published = platform.now().getTime();
  }
  return { keys, prekeys, accountKey: record.accountKey, publish };
}

function agentSetup(options: MessengerOptions, agentId: string): AgentSetup {
  const { api, platform, store, mode, replaceIdentity = false, onKeyGenerated } = options;
  const setup = { api, crypto: platform.crypto, store, agentId, mode, replaceIdentity };
  return onKeyGenerated === undefined ? setup : { ...setup, onKeyGenerated };
}

async function establishIdentity(options: MessengerOptions): Promise<OwnKeysRecord> {
  const { identity, store } = options;
  const known = await loadOwnKeys(store);
  if (identity.kind === 'human') {
    if (known === undefined) throw messengerError('KEYSTORE_EMPTY');
    return checkOwner(known, identity.accountId);
  }
  try {
    return await establishAgentIdentity(agentSetup(options, identity.agentId));
  } catch (error) {
    if (known === undefined || !isOutage(error)) throw error;
    return checkOwner(known, identity.agentId);
  }
}
