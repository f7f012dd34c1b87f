import { closed, Id, Name, Nothing, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, everyone, ownerOnly } from './access.ts';
import { Tokens } from './auth.ts';

const tag = 'passkeys';
const KB = 1024;
/** The browser's `toJSON()` of a PublicKeyCredential. */
const Credential = Type.Record(Type.String(), Type.Unknown());
/** The argument of the browser's `parse…OptionsFromJSON`. */
const Options = Type.Object({ challenge_id: Id, options: Type.Record(Type.String(), Type.Unknown()) });
const Passkey = Type.Object({
  passkey_id: Type.String(),
  name: Type.String(),
  created_at: Time,
  used_at: Type.Union([Time, Type.Null()]),
  current: Type.Optional(Type.Boolean({ description: 'This session began with it.' })),
});

export const passkeyRegisterOptions = defineRoute({
  method: 'POST',
  path: '/auth/passkey/register/options',
  summary: 'Begins to add a passkey to the account. Wants a sign-in or a proof of the last ten minutes (AC-3).',
  tag,
  status: 200,
  reply: Options,
  limit: { body: KB, perMinute: 30, by: 'caller' },
  access: anyPerson(200),
});

export const passkeyRegisterVerify = defineRoute({
  method: 'POST',
  path: '/auth/passkey/register/verify',
  summary: 'Adds the passkey that the browser made.',
  tag,
  body: Type.Object({ challenge_id: Id, name: Name, credential: Credential }, closed),
  status: 201,
  reply: Passkey,
  limit: { body: 32 * KB, perMinute: 30, by: 'caller' },
  access: anyPerson(201),
});

export const passkeyLoginOptions = defineRoute({
  method: 'POST',
  path: '/auth/passkey/login/options',
  summary: 'Begins to sign in by passkey. Names no account, so nobody learns which exist.',
  tag,
  status: 200,
  reply: Options,
  limit: { body: KB, perMinute: 60, by: 'address' },
  access: everyone(200),
});

export const passkeyLoginVerify = defineRoute({
  method: 'POST',
  path: '/auth/passkey/login/verify',
  summary: 'Signs in by passkey.',
  tag,
  body: Type.Object({ challenge_id: Id, credential: Credential }, closed),
  status: 200,
  reply: Tokens,
  limit: { body: 32 * KB, perMinute: 60, by: 'address' },
  access: everyone(200),
});

export const listPasskeys = defineRoute({
  method: 'GET',
  path: '/auth/passkey',
  summary: "One's own passkeys.",
  tag,
  status: 200,
  reply: Type.Object({ passkeys: Type.Array(Passkey) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const deletePasskey = defineRoute({
  method: 'DELETE',
  path: '/auth/passkey/:passkey_id',
  summary: "Removes one of one's own passkeys.",
  tag,
  params: Type.Object({ passkey_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,1400}$' }) }),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: ownerOnly(204),
});

export const PASSKEY_ROUTES = [
  passkeyRegisterOptions,
  passkeyRegisterVerify,
  passkeyLoginOptions,
  passkeyLoginVerify,
  listPasskeys,
  deletePasskey,
];
