import { ID_PATTERN } from '@parley/base';
import { isValid, Type } from '@parley/protocol';
import type { Static } from 'typebox';
import { utf8 } from './bytes.ts';

// The `wraps` of an envelope lead to its content key, each for one device or for all who hold a group key.

const closed = { additionalProperties: false } as const;
const Id = Type.String({ pattern: ID_PATTERN });
/** 32 bytes; the last letter's two spare bits are 0. */
const Key = Type.String({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$' });
/** 16 bytes. */
const KeyName = Type.String({ pattern: '^[A-Za-z0-9_-]{21}[AQgw]$' });
/** 32 bytes and a tag. */
const Wrapped = Type.String({ pattern: '^[A-Za-z0-9_-]{64}$' });
/** A nonce, 32 bytes and a tag. */
const NonceWrapped = Type.String({ pattern: '^[A-Za-z0-9_-]{80}$' });
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const KeyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** L2, to a signed prekey of the device: its identity key signs that key, so no server can replace it. */
const HpkeWrap = Type.Object({ kind: Type.Literal('hpke'), to: Id, prekey_id: KeyId, enc: Key, ct: Wrapped }, closed);

/** What the other side needs to answer the handshake; it is sent with every message until then. */
const Handshake = Type.Object(
  { exchange_key: Key, signed_prekey_id: KeyId, one_time_prekey_id: Type.Optional(KeyId) },
  closed,
);

/** L4. The session is named by the ephemeral key of the handshake it began with. */
const RatchetWrap = Type.Object(
  {
    kind: Type.Literal('ratchet'),
    to: Id,
    session: Key,
    dh: Key,
    pn: Count,
    n: Count,
    ct: Wrapped,
    handshake: Type.Optional(Handshake),
  },
  closed,
);

/**
 * EE-12. Where it is present, the other wraps carry the group key. `n` counts the sender's messages under that key, by
 * which a repetition is known (EE-25); a sender that keeps no state leaves it out.
 */
const GroupWrap = Type.Object(
  { kind: Type.Literal('group'), key: KeyName, n: Type.Optional(Count), ct: NonceWrapped },
  closed,
);

const Wraps = Type.Array(Type.Union([HpkeWrap, RatchetWrap, GroupWrap]));

export type HpkeWrap = Static<typeof HpkeWrap>;
export type Handshake = Static<typeof Handshake>;
export type RatchetWrap = Static<typeof RatchetWrap>;
export type GroupWrap = Static<typeof GroupWrap>;
export type DeviceWrap = HpkeWrap | RatchetWrap;

export interface ReadWraps {
  readonly group: GroupWrap | undefined;
  readonly devices: ReadonlyMap<string, DeviceWrap>;
}

/**
 * Returns undefined for a wrap of an unknown kind, two group keys, or two wraps for one device: nobody honest makes
 * those.
 */
export function readWraps(wraps: readonly unknown[]): ReadWraps | undefined {
  if (!isValid(Wraps, wraps)) return undefined;
  const groups = wraps.filter((wrap) => wrap.kind === 'group');
  const devices = wraps.filter((wrap) => wrap.kind !== 'group');
  const byDevice = new Map(devices.map((wrap) => [wrap.to, wrap]));
  if (groups.length > 1 || byDevice.size < devices.length) return undefined;
  return { group: groups[0], devices: byDevice };
}

/**
 * Returns the associated data of a wrap, with the header in its RFC 8785 form: in another envelope, or in another
 * wrap's place, it does not open.
 */
export function wrapContext(header: string, to: string, carries: 'content' | `group:${string}`): Uint8Array {
  return utf8(`parley-wrap-v1\n${carries}\n${to}\n${header}`);
}
