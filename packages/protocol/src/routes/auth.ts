import { closed, Id, Name, Nothing, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, everyone, ownerOnly } from './access.ts';

const tag = 'auth';
const KB = 1024;
/** Checked when it is normalised; here only bounded. */
const Email = Type.String({ minLength: 3, maxLength: 320 });
const NewPassword = Type.String({ minLength: 10, maxLength: 200 });
const Password = Type.String({ minLength: 1, maxLength: 200 });

/** The refresh token is a cookie; the device flow, whose client has no cookies, gets it in the body. */
export const Tokens = Type.Object({
  user_id: Id,
  access_token: Type.String(),
  expires_in_seconds: Type.Integer(),
  refresh_token: Type.Optional(Type.String()),
});

export const sendCode = defineRoute({
  method: 'POST',
  path: '/auth/send-code',
  summary: 'Sends a code to an e-mail address, for registering. The reply does not tell whether the address is known.',
  tag,
  body: Type.Object({ email: Email }, closed),
  status: 202,
  reply: Type.Object({ expires_in_seconds: Type.Integer() }),
  limit: { body: 2 * KB, perMinute: 10, by: 'address' },
  access: everyone(202),
});

export const register = defineRoute({
  method: 'POST',
  path: '/auth/register',
  summary: 'Creates an account. Wants the code that was sent if the server sends e-mail.',
  tag,
  body: Type.Object(
    {
      email: Email,
      account_password: NewPassword,
      display_name: Name,
      code: Type.Optional(Type.String({ maxLength: 20 })),
    },
    closed,
  ),
  status: 201,
  reply: Tokens,
  limit: { body: 4 * KB, perMinute: 60, by: 'address' },
  access: everyone(201),
});

export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  summary: 'Signs in by e-mail and password.',
  tag,
  body: Type.Object({ email: Email, account_password: Password }, closed),
  status: 200,
  reply: Tokens,
  limit: { body: 4 * KB, perMinute: 60, by: 'address' },
  access: everyone(200),
});

export const refresh = defineRoute({
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Exchanges the refresh token, from the cookie or from the body, for a new one and an access token.',
  tag,
  body: Type.Union([Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 200 })) }, closed), Nothing]),
  status: 200,
  reply: Tokens,
  limit: { body: KB, perMinute: 120, by: 'address' },
  access: everyone(200),
});

export const logout = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Ends the session of the cookie, of the refresh token in the body, or of the access token.',
  tag,
  body: Type.Union([Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 200 })) }, closed), Nothing]),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'address' },
  access: everyone(204),
});

export const me = defineRoute({
  method: 'GET',
  path: '/auth/me',
  summary: 'Who is signed in.',
  tag,
  status: 200,
  reply: Type.Object({
    user_id: Id,
    email: Type.String(),
    display_name: Type.String(),
    role: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
    account_key: Type.Union([Type.String(), Type.Null()]),
    session_id: Id,
    device_id: Type.Union([Id, Type.Null()]),
    created_at: Time,
  }),
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: anyPerson(200),
});

export const listSessions = defineRoute({
  method: 'GET',
  path: '/auth/sessions',
  summary: "One's own sessions.",
  tag,
  status: 200,
  reply: Type.Object({
    sessions: Type.Array(
      Type.Object({
        session_id: Id,
        current: Type.Boolean(),
        device_id: Type.Union([Id, Type.Null()]),
        client: Type.Union([Type.String(), Type.Null()]),
        created_at: Time,
        used_at: Time,
        expires_at: Time,
      }),
    ),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const revokeSession = defineRoute({
  method: 'DELETE',
  path: '/auth/sessions/:session_id',
  summary: "Ends one of one's own sessions at once.",
  tag,
  params: Type.Object({ session_id: Id }),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: ownerOnly(204),
});

export const changePassword = defineRoute({
  method: 'POST',
  path: '/auth/password',
  summary: 'Changes the password. All other sessions of the account end at once.',
  tag,
  body: Type.Object({ account_password: Password, new_password: NewPassword }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: 2 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(204),
});

export const deleteAccount = defineRoute({
  method: 'DELETE',
  path: '/auth/account',
  summary: 'Deletes the account: personal data is erased, sessions, devices, agents and relations end.',
  tag,
  body: Type.Object({ account_password: Password }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: 2 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(204),
});

export const exportAccount = defineRoute({
  method: 'GET',
  path: '/auth/account/export',
  summary: 'Everything held about the account, without secrets.',
  tag,
  status: 200,
  reply: Type.Object({ account: Type.Record(Type.String(), Type.Unknown()) }, { additionalProperties: true }),
  limit: { body: KB, perMinute: 5, by: 'caller' },
  access: anyPerson(200),
});

export const AUTH_ROUTES = [
  sendCode,
  register,
  login,
  refresh,
  logout,
  me,
  listSessions,
  revokeSession,
  changePassword,
  deleteAccount,
  exportAccount,
];
