import {
  addressOf,
  type Crypto,
  fromBase64Url,
  type PublicIdentity,
  verifyAccountKey,
  verifyCertificate,
} from '@parley/e2ee';
import { deviceRoutes, type ReplyOf } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { Problem } from '../types.ts';
import type { Contact, TrustState } from './contact.ts';
import type { Pinned, Pins } from './pins.ts';

type Listing = ReplyOf<typeof deviceRoutes.accountDevices>;
type WireDevice = Listing['devices'][number];

export interface Person {
  readonly trust: TrustState;
  /** The devices that are certified under the pinned account key; no others count (EE-14). */
  readonly devices: readonly Contact[];
  /** Identity keys of certified devices, including revoked ones, for verifying what they signed. */
  readonly signers: ReadonlyMap<string, string>;
}

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly pins: Pins;
  /** This account is never pinned at first contact: its key comes from its own device. */
  readonly ownAccount: string | undefined;
  readonly report: (problem: Problem) => void;
}

const EMPTY: Readonly<Record<string, string>> = {};

export async function findPerson(deps: Deps, accountId: string): Promise<Person> {
  const { api, crypto, pins, ownAccount, report } = deps;
  const listing = await api.call(deviceRoutes.accountDevices, { params: { account_id: accountId } });
  const offered = listing.account_key;
  const pinned = await pins.get('account', accountId);
  const pin = settlePin(crypto, { accountId, listing, pinned, mayPin: accountId !== ownAccount });
  if (pin === undefined) {
    if (pinned === undefined) return { trust: { state: 'no_keys' }, devices: [], signers: new Map() };
    const changed = { known: pinned.key, offered: offered ?? '' };
    report({ kind: 'identity_changed', party: { kind: 'account', id: accountId }, ...changed });
    return { trust: { state: 'identity_changed', ...changed }, devices: [], signers: new Map() };
  }
  const certified = (device: WireDevice, keys: readonly string[]) =>
    keys.some((accountKey) => isCertified(crypto, device, { accountId, accountKey }));
  const past = listing.revoked_devices.filter((device) => certified(device, [pin.key, ...(pin.before ?? [])]));
  const revoked = noteRevoked(pin.revoked ?? EMPTY, past);
  if (revoked !== (pin.revoked ?? EMPTY)) pins.set('account', accountId, { ...pin, revoked });
  else if (pin !== pinned) pins.set('account', accountId, pin);
  const devices = listing.devices.filter((device) => certified(device, [pin.key]) && !isVoid(revoked, device));
  return {
    trust: { state: 'ok', key: pin.key, verified: pin.verified },
    devices: devices.map((device) => toContact(accountId, device, pin.key)),
    signers: new Map([...past, ...devices].map(({ device_id, identity_key }) => [device_id, identity_key])),
  };
}

/** Returns the pin to use; undefined if the offered key is neither the pinned one nor signed by it. */
function settlePin(
  crypto: Crypto,
  what: { accountId: string; listing: Listing; pinned: Pinned | undefined; mayPin: boolean },
): Pinned | undefined {
  const { accountId, listing, pinned, mayPin } = what;
  const offered = listing.account_key;
  if (offered === null) return undefined;
  if (pinned === undefined) return mayPin ? { key: offered, verified: false } : undefined;
  let key = pinned.key;
  const passed = [...(pinned.before ?? [])];
  for (const { signature, ...change } of listing.account_key_changes) {
    if (change.old_account_key !== key) continue;
    if (!verifyAccountKey(crypto, { account_id: accountId, ...change }, signature)) return undefined;
    passed.push(key);
    key = change.new_account_key;
  }
  if (key !== offered) return undefined;
  return key === pinned.key ? pinned : { ...pinned, key, before: passed };
}

/** A revocation is final: the server cannot bring a device back. Only the account key can, by a later certificate. */
function noteRevoked(
  known: Readonly<Record<string, string>>,
  past: readonly WireDevice[],
): Readonly<Record<string, string>> {
  const news = past.filter((device) => !isVoid(known, device));
  if (news.length === 0) return known;
  return { ...known, ...Object.fromEntries(news.map((one) => [one.identity_key, one.certificate!.created_at])) };
}

function isVoid(revoked: Readonly<Record<string, string>>, { identity_key, certificate }: WireDevice): boolean {
  return Object.hasOwn(revoked, identity_key) && certificate!.created_at <= revoked[identity_key]!;
}

function isCertified(
  crypto: Crypto,
  { device_id: deviceId, certificate, identity_key, exchange_key }: WireDevice,
  { accountId, accountKey }: { accountId: string; accountKey: string },
): boolean {
  if (certificate === null) return false;
  return verifyCertificate(crypto, certificate, { accountKey, accountId, deviceId, identity_key, exchange_key });
}

function toContact(accountId: string, device: WireDevice, accountKey: string): Contact {
  const sender = { kind: 'human' as const, id: accountId, device_id: device.device_id };
  const keys: PublicIdentity = {
    identityKey: fromBase64Url(device.identity_key)!,
    exchangeKey: fromBase64Url(device.exchange_key)!,
  };
  const pin = { kind: 'device' as const, id: device.device_id, accountId, accountKey };
  return { sender, address: addressOf(sender), ...keys, mode: 'websocket', pin };
}
