import type { Static } from 'typebox';
import { closed, Id } from './formats.ts';
import type { Payload, SystemPayload } from './payload.ts';
import { isValid } from './schema/is-valid.ts';
import * as Type from './schema/type.ts';

// CG-6: "always deny" holds on all devices of an account, so they tell each other of it, sealed. The server learns nothing.

const DenialStatement = Type.Object(
  {
    agent_id: Id,
    tool_name: Type.String({ pattern: '^[a-z][a-z0-9_]{1,31}$' }),
    /** Of this one denial. If the tool is denied anew, that is another one: a lift ends only what it names. */
    id: Id,
    /** The device has decided it, knows it from another one, or has lifted it. */
    state: Type.Enum(['denied', 'known', 'lifted']),
    /** When, in milliseconds since 1970. It is shown, and decides nothing. */
    at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  },
  closed,
);

/** What one device says of one denial of a tool of an agent. */
export type DenialStatement = Static<typeof DenialStatement>;

/** In one message; a device that knows more sends several. */
export const MAX_DENIALS = 100;
const ACCOUNT_DENIALS = 'account.denials';

/** What a device tells the account's other devices in their own conversation. */
export function accountDenials(denials: readonly DenialStatement[]): SystemPayload {
  return { type: 'system', code: ACCOUNT_DENIALS, params: { denials: [...denials] } };
}

/** Undefined for any other payload. What does not fit is left out, so that a later version can say more. */
export function readAccountDenials(payload: Payload): readonly DenialStatement[] | undefined {
  if (payload.type !== 'system' || payload.code !== ACCOUNT_DENIALS) return undefined;
  const denials = payload.params?.denials;
  if (!Array.isArray(denials) || denials.length > MAX_DENIALS) return [];
  return denials.filter((one): one is DenialStatement => isValid(DenialStatement, one));
}
