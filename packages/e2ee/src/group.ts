import { concat, fromBase64Url, isEqual, toBase64Url, utf8 } from './bytes.ts';
import type { Crypto } from './provider/crypto.ts';
import type { GroupWrap } from './wraps.ts';

// EE-12: a group has one key, wrapped for every member device. A key is for exactly the devices it was made for: when
// anyone leaves or joins, the next message is under a new one.

const NONCE = 12;
/** Older keys are kept, because messages under them may still arrive. */
const MAX_KEYS = 8;
/** Each costs whoever drives out keys a signed message. */
const MAX_RETIRED = 1_000;

export interface GroupKey {
  /** Commits to the key: two members cannot be given different keys by one name. */
  readonly id: string;
  readonly key: Uint8Array;
  /** Addresses of the devices that hold it, sorted. */
  readonly members: readonly string[];
  /** Whoever made it, by their `peerName`: an address alone may be that of another account's device. */
  readonly maker?: string;
  /** The names of those it was made for; of a key that was given, since it was first used to write. */
  readonly holders?: string;
  /** How many messages were written under it here. */
  readonly sent?: number;
}

export interface Group {
  readonly conversationId: string;
  /** The first key is used for writing. */
  readonly keys: readonly GroupKey[];
  /**
   * The ids of keys that are no longer held. None is taken again (EE-25): it is not known any more which messages under it
   * were written and opened here.
   */
  readonly retired?: readonly string[];
}

function nameKey(crypto: Crypto, conversationId: string, key: Uint8Array): string {
  const digest = crypto.sha256(concat(utf8(`parley-group-key-v1\n${conversationId}\n`), key));
  return toBase64Url(digest.subarray(0, 16));
}

/** Returns the key for writing to these members; `fresh` if they still have to be given it. */
export function groupKeyFor(
  crypto: Crypto,
  group: Group,
  { members, makers }: { readonly members: readonly string[]; readonly makers: readonly [own: string, ...string[]] },
): { key: GroupKey; fresh: boolean } {
  const sorted = [...members].sort();
  const [current] = group.keys;
  const isOurs = current?.maker !== undefined && makers.includes(current.maker);
  // One of them may have other keys than before: whoever has the old ones holds it, and they do not.
  const holders = [...makers].sort().join('\n');
  const isTheirs = isOurs && (current.holders ?? holders) === holders;
  if (isTheirs && current.members.join() === sorted.join()) return { key: { ...current, holders }, fresh: false };
  const key = crypto.randomBytes(32);
  const id = nameKey(crypto, group.conversationId, key);
  return { key: { id, key, members: sorted, maker: makers[0], holders }, fresh: true };
}

/** Returns undefined if the key does not match its id, or was held before. */
export function adoptKey(crypto: Crypto, group: Group, given: GroupKey): Group | undefined {
  if (group.retired?.includes(given.id)) return undefined;
  const name = utf8(nameKey(crypto, group.conversationId, given.key));
  return isEqual(name, utf8(given.id)) ? withKey(group, given) : undefined;
}

export function withKey(group: Group, key: GroupKey): Group {
  const others = group.keys.filter(({ id }) => id !== key.id);
  const keys = [{ ...key, members: [...key.members].sort() }, ...others];
  if (keys.length <= MAX_KEYS) return { ...group, keys };
  const retired = [...(group.retired ?? []), ...keys.slice(MAX_KEYS).map(({ id }) => id)];
  return { ...group, keys: keys.slice(0, MAX_KEYS), retired: retired.slice(-MAX_RETIRED) };
}

export function wrapUnderGroup(
  crypto: Crypto,
  { id, key }: GroupKey,
  { secret, context, n }: { secret: Uint8Array; context: Uint8Array; n: number | undefined },
): GroupWrap {
  const nonce = crypto.randomBytes(NONCE);
  return {
    kind: 'group',
    key: id,
    ...(n === undefined ? {} : { n }),
    ct: toBase64Url(concat(nonce, crypto.encrypt(secret, { key, nonce, aad: context }))),
  };
}

export function unwrapUnderGroup(
  crypto: Crypto,
  key: GroupKey,
  { wrap, context }: { wrap: GroupWrap; context: Uint8Array },
): Uint8Array | undefined {
  const sealed = fromBase64Url(wrap.ct)!;
  const nonce = sealed.subarray(0, NONCE);
  return crypto.decrypt(sealed.subarray(NONCE), { key: key.key, nonce, aad: context });
}
