import { addressOf, type Crypto, fromBase64Url, type PublicIdentity, verifyCertificate } from '@parley/e2ee';
import { type ChainKind, type deviceRoutes, listedSigner, type ReplyOf, type Signer } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { HeardMarks, Problem } from '../types.ts';
import type { Contact, TrustState } from './contact.ts';
import {
  type FetchedList,
  fetchList,
  firstKeyOf,
  isShown,
  loadList,
  markOf,
  type SeenList,
  storedList,
} from './device-lists.ts';
import type { HeldEntries } from './held-entries.ts';
import { isSamePin, type Pinned, type Pins } from './pins.ts';

type Listing = ReplyOf<typeof deviceRoutes.accountDevices>;
type WireDevice = Listing['devices'][number];

/** An account, as far as its own signatures and what was pinned bear out what the server says. */
export interface BoundAccount {
  readonly trust: TrustState;
  /** The devices that its list names and the server lets in: nothing is sealed for any other (EE-18). */
  readonly devices: readonly Contact[];
  /** Of a device whose signatures in this chain count, or did until it was revoked. */
  signer(deviceId: string, chain: { readonly kind: ChainKind; readonly id: string }): Signer | undefined;
}

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly pins: Pins;
  readonly held: HeldEntries;
  /** This account is never pinned at first contact: its list comes from its own devices (EE-16). */
  readonly ownAccount: string | undefined;
  /** What the own account's other devices have been shown (EE-23). */
  readonly heard?: HeardMarks | undefined;
  readonly report: (problem: Problem) => void;
}

const noSigner = () => undefined;
const nobody = (trust: TrustState): BoundAccount => ({ trust, devices: [], signer: noSigner });

export async function bindAccount(deps: Deps, accountId: string): Promise<BoundAccount> {
  const bound = await bindShown(deps, accountId);
  return (await isWithheld(deps, accountId)) ? { ...bound, trust: { state: 'device_list' } } : bound;
}

/**
 * Another own device was shown more of the list than this one: nothing is sealed for the account until it is shown here,
 * too (EE-23). Of the own account's, the client speaks: everything hangs on it, the conversation of its devices too.
 */
async function isWithheld({ heard, held, crypto, ownAccount }: Deps, accountId: string): Promise<boolean> {
  const marks = accountId === ownAccount ? [] : (heard?.list(accountId) ?? []);
  if (marks.length === 0) return false;
  const seen = await loadList(held, crypto, accountId);
  return !marks.every((mark) => isShown(mark, seen));
}

async function bindShown(deps: Deps, accountId: string): Promise<BoundAccount> {
  const { pins, held, crypto, ownAccount } = deps;
  const pinned = await pins.get('account', accountId);
  const known = { seen: await loadList(held, crypto, accountId), mark: pinned?.list };
  const fetched = await fetchList(deps, accountId, known);
  // A server that answers an older request last would undo what it said in the meantime: ask again.
  await pins.get('account', accountId);
  if (!isSamePin(pins.peek('account', accountId), pinned)) return bindShown(deps, accountId);
  if (fetched.seen === undefined && known.mark === undefined && fetched.problem === undefined) {
    return bindUnlisted(deps, { accountId, listing: fetched.listing, pinned });
  }
  if (fetched.seen !== known.seen) {
    if (pinned === undefined && accountId === ownAccount) return nobody({ state: 'no_keys' });
    const other = known.mark === undefined && pinned !== undefined && !isPinnedList(pinned, fetched.seen!);
    if (other) return refuseKey(deps, { accountId, known: pinned.key, offered: firstKeyOf(fetched.seen!.statements) });
    keep(deps, { accountId, seen: fetched.seen!, pinned });
  }
  reportList(deps, accountId, fetched);
  return fromList(accountId, fetched, pinned?.verified ?? false);
}

/**
 * A key that was pinned before there was a list, or accepted by hand, is the one that the list begins with: it has signed
 * that. Where a list ends says nothing: anyone can rotate to a key whose public half they know.
 */
function isPinnedList({ key }: Pinned, { statements }: SeenList): boolean {
  return firstKeyOf(statements) === key;
}

function keep(
  { pins, held }: Deps,
  { accountId, seen, pinned }: { accountId: string; seen: SeenList; pinned: Pinned | undefined },
): void {
  const verified = pinned?.verified ?? false;
  pins.set('account', accountId, { key: seen.list.accountKey, verified, list: markOf(seen.list) });
  held.set(...storedList(accountId, seen));
}

function reportList({ report }: Deps, accountId: string, { problem, seen, offered = '' }: FetchedList): void {
  if (problem === undefined) return;
  if (problem !== 'foreign') report({ kind: 'device_list', accountId, problem });
  else {
    const party = { kind: 'account' as const, id: accountId };
    report({ kind: 'identity_changed', party, known: seen?.list.accountKey ?? '', offered });
  }
}

function refuseKey({ report }: Deps, { accountId, ...changed }: { accountId: string; known: string; offered: string }) {
  report({ kind: 'identity_changed', party: { kind: 'account', id: accountId }, ...changed });
  return nobody({ state: 'identity_changed', ...changed });
}

function fromList(accountId: string, fetched: FetchedList, verified: boolean): BoundAccount {
  const { seen, problem, listing, offered = '' } = fetched;
  if (seen === undefined) return nobody({ state: 'device_list' });
  if (seen.forked) return nobody({ state: 'forked' });
  const { list } = seen;
  const signer: BoundAccount['signer'] = (deviceId, chain) => listedSigner(list, deviceId, chain);
  if (problem === 'foreign') {
    return { trust: { state: 'identity_changed', known: list.accountKey, offered }, devices: [], signer };
  }
  // The server's word alone takes a device away, until it says otherwise.
  const present = new Set(listing.devices.map(({ device_id }) => device_id));
  const devices = [...list.devices.values()].filter(({ device_id }) => present.has(device_id));
  return {
    trust: { state: 'ok', key: list.accountKey, verified },
    devices: devices.map((device) => toContact(accountId, device)),
    signer,
  };
}

/**
 * The identity key of a device by the list that was seen last, unless that has revoked it. Asked where the server claims
 * not to know the account.
 */
export async function findSeenIdentity(
  { held, crypto }: Pick<Deps, 'held' | 'crypto'>,
  { accountId, deviceId }: { accountId: string; deviceId: string },
): Promise<string | undefined> {
  const seen = await loadList(held, crypto, accountId);
  return seen === undefined || seen.forked ? undefined : seen.list.devices.get(deviceId)?.identity_key;
}

/** Whoever signed for an account that the server does not show, by the list that was seen last. */
export async function findSeenSigner(
  { held, crypto }: Pick<Deps, 'held' | 'crypto'>,
  accountId: string,
  ...[deviceId, chain]: Parameters<BoundAccount['signer']>
): Promise<Signer | undefined> {
  const seen = await loadList(held, crypto, accountId);
  return seen === undefined || seen.forked ? undefined : listedSigner(seen.list, deviceId, chain);
}

const EMPTY: Readonly<Record<string, string>> = {};

/** EE-14: an account of the version before, none of whose devices has made a list yet. */
function bindUnlisted(
  deps: Deps,
  { accountId, listing, pinned }: { accountId: string; listing: Listing; pinned: Pinned | undefined },
): BoundAccount {
  const { crypto, pins, ownAccount } = deps;
  const offered = listing.account_key;
  if (pinned !== undefined && offered !== pinned.key) {
    return refuseKey(deps, { accountId, known: pinned.key, offered: offered ?? '' });
  }
  if (offered === null || (pinned === undefined && accountId === ownAccount)) return nobody({ state: 'no_keys' });
  const pin: Pinned = pinned ?? { key: offered, verified: false };
  const certified = (device: WireDevice) => isCertified(crypto, device, { accountId, accountKey: pin.key });
  const past = listing.revoked_devices.filter(certified);
  // Nobody signed it, so it holds for as long as the server says so (EE-24).
  const voidNow = noteRevoked(EMPTY, past);
  const devices = listing.devices.filter((device) => certified(device) && !isVoid(voidNow, device));
  const revoked = noteRevoked(pin.revoked ?? EMPTY, past);
  if (revoked !== (pin.revoked ?? EMPTY)) pins.set('account', accountId, { ...pin, revoked });
  else if (pin !== pinned) pins.set('account', accountId, pin);
  const keys = new Map([...past, ...devices].map(({ device_id, identity_key }) => [device_id, identity_key]));
  return {
    trust: { state: 'ok', key: pin.key, verified: pin.verified },
    devices: devices.map((device) => toContact(accountId, device)),
    signer: (deviceId) => {
      const key = keys.get(deviceId);
      return key === undefined ? undefined : { key };
    },
  };
}

/** By identity key: up to which date its certificates are void. */
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

function toContact(
  accountId: string,
  { device_id, identity_key, exchange_key }: Pick<WireDevice, 'device_id' | 'identity_key' | 'exchange_key'>,
): Contact {
  const sender = { kind: 'human' as const, id: accountId, device_id };
  const keys: PublicIdentity = {
    identityKey: fromBase64Url(identity_key)!,
    exchangeKey: fromBase64Url(exchange_key)!,
  };
  const pin = { kind: 'device' as const, id: device_id, identityKey: identity_key, exchangeKey: exchange_key };
  return { sender, address: addressOf(sender), ...keys, mode: 'websocket', pin };
}
