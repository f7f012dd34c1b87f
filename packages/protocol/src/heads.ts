import type { Static } from 'typebox';
import { Sha256 } from './chains/chain.ts';
import { closed, Id } from './formats.ts';
import { type encodePayload, PAYLOADS, type Payload, type SystemPayload } from './payload.ts';
import { isValid } from './schema/is-valid.ts';
import * as Type from './schema/type.ts';
import { exceedsBytes } from './utf8.ts';

// EE-23: what own devices tell each other about where the signed chains end. A server that keeps a revocation from one of
// them is found out by what another says.

const Count = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Ledger = Type.Object({ kind: Type.Literal('ledger'), id: Id, length: Count, head: Sha256 }, closed);
const Group = Type.Object({ kind: Type.Literal('group'), id: Id, length: Count, head: Sha256 }, closed);
const Devices = Type.Object(
  {
    kind: Type.Literal('devices'),
    id: Id,
    length: Count,
    head: Sha256,
    root: Sha256,
    recoveries: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  },
  closed,
);
const Manifest = Type.Object({ kind: Type.Literal('manifest'), id: Id, version: Count, hash: Sha256 }, closed);
const Head = Type.Union([Ledger, Group, Devices, Manifest]);

/** Where a chain ends, or which manifest is current, as the device that says it was shown it. */
export type Head = Static<typeof Head>;
export type DevicesHead = Static<typeof Devices>;

/** In one message; a device that knows more sends several. */
export const MAX_HEADS = 100;
const ACCOUNT_HEADS = 'account.heads';

/** What a device tells the account's other devices in their own conversation. */
export function accountHeads(heads: readonly Head[]): SystemPayload {
  return { type: 'system', code: ACCOUNT_HEADS, params: { heads: [...heads] } };
}

/** Undefined for any other payload. */
export function readAccountHeads(payload: Payload): readonly Head[] | undefined {
  if (payload.type !== 'system' || payload.code !== ACCOUNT_HEADS) return undefined;
  return readHeads(payload.params?.heads);
}

/** What does not fit is left out, so that a later version can say more. */
function readHeads(value: unknown): readonly Head[] {
  if (!Array.isArray(value) || value.length > MAX_HEADS) return [];
  return value.filter((one): one is Head => isValid(Head, one));
}

/** Adds heads to a message that is sent anyway, unless it would become too large. */
export function addHeads(
  { label, text }: ReturnType<typeof encodePayload>,
  heads: readonly Head[],
): ReturnType<typeof encodePayload> {
  const longer = `${text.slice(0, -1)},"heads":${JSON.stringify(heads)}}`;
  const { maxBytes } = PAYLOADS[label.msg_subtype];
  return maxBytes !== undefined && exceedsBytes(longer, maxBytes) ? { label, text } : { label, text: longer };
}

/** Takes them out again: whoever handles the message sees what its author wrote. */
export function takeHeads(payload: Payload): { readonly payload: Payload; readonly heads?: readonly Head[] } {
  if (!Object.hasOwn(payload, 'heads')) return { payload };
  const { heads, ...bare } = payload as Payload & { heads: unknown };
  const read = readHeads(heads);
  return { payload: bare as Payload, ...(read.length === 0 ? {} : { heads: read }) };
}
