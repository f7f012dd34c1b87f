import { closed, Name, Nothing, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, everyone } from './access.ts';
import { Tokens } from './auth.ts';

const tag = 'device flow';
const KB = 1024;
/** The code as typed: case, spaces and dashes do not count. */
const UserCode = Type.String({ minLength: 8, maxLength: 20 });

export const deviceCode = defineRoute({
  method: 'POST',
  path: '/auth/device/code',
  summary: 'Begins to sign in a client without a browser (RFC 8628).',
  tag,
  body: Type.Object({ client_name: Name }, closed),
  status: 200,
  reply: Type.Object({
    device_code: Type.String(),
    user_code: Type.String(),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer(),
    interval: Type.Integer(),
  }),
  limit: { body: KB, perMinute: 20, by: 'address' },
  access: everyone(200),
});

export const deviceToken = defineRoute({
  method: 'POST',
  path: '/auth/device/token',
  summary: 'The tokens, once a person has approved; until then AUTHORIZATION_PENDING.',
  tag,
  body: Type.Object({ device_code: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
  status: 200,
  reply: Tokens,
  limit: { body: KB, perMinute: 120, by: 'address' },
  access: everyone(200),
});

export const deviceInspect = defineRoute({
  method: 'POST',
  path: '/auth/device/inspect',
  summary: 'What asks to be signed in under this code, to be shown before approving.',
  tag,
  body: Type.Object({ user_code: UserCode }, closed),
  status: 200,
  reply: Type.Object({ client_name: Type.String(), expires_at: Time }),
  limit: { body: KB, perMinute: 20, by: 'caller' },
  access: anyPerson(200),
});

export const deviceApprove = defineRoute({
  method: 'POST',
  path: '/auth/device/approve',
  summary: 'Signs the client in as oneself, or refuses it.',
  tag,
  body: Type.Object({ user_code: UserCode, approve: Type.Boolean() }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 20, by: 'caller' },
  access: anyPerson(204),
});

export const DEVICE_FLOW_ROUTES = [deviceCode, deviceToken, deviceInspect, deviceApprove];
