import { closed, Id, Name, Nothing, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, everyone, ownerOnly } from './access.ts';
import { BudgetUse } from './budget.ts';

const tag = 'auth';
const KB = 1024;
/** Checked when it is normalised; here only bounded. */
const Email = Type.String({ minLength: 3, maxLength: 320 });
const NewPassword = Type.String({ minLength: 10, maxLength: 200 });
const Password = Type.String({ minLength: 1, maxLength: 200 });

/** That someone has signed in on this device before (AC-1). */
const KnownDevice = Type.String({ maxLength: 300 });
export const Invitation = Type.String({ minLength: 1, maxLength: 100 });

/** The refresh token and the proof of a known device are cookies; the device flow, whose client has none, gets them in the body. */
export const Tokens = Type.Object({
  user_id: Id,
  access_token: Type.String(),
  expires_in_seconds: Type.Integer(),
  refresh_token: Type.Optional(Type.String()),
  known_device: Type.Optional(
    Type.String({ description: 'Signing in on this device again is not held up by the wrong guesses of others.' }),
  ),
});

export const getSignUp = defineRoute({
  method: 'GET',
  path: '/auth/sign-up',
  summary: 'Who may register here, and whether the server sends e-mail.',
  tag,
  status: 200,
  reply: Type.Object({
    registration: Type.Union([Type.Literal('open'), Type.Literal('invitation'), Type.Literal('closed')]),
    sends_email: Type.Boolean({
      description: 'Registering wants a code from an e-mail, and a lost password is reset by one.',
    }),
  }),
  limit: { body: KB, perMinute: 120, by: 'address' },
  access: everyone(200),
});

export const checkInvitation = defineRoute({
  method: 'POST',
  path: '/auth/invitation',
  summary: 'Whether an invitation still counts, before someone fills in a form.',
  tag,
  body: Type.Object({ invitation: Invitation }, closed),
  status: 200,
  reply: Type.Object({
    valid: Type.Boolean(),
    role: Type.Union([Type.Literal('user'), Type.Literal('admin'), Type.Null()]),
  }),
  limit: { body: KB, perMinute: 30, by: 'address' },
  access: everyone(200),
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
  summary:
    'Creates an account. Wants the code that was sent if the server sends e-mail, and an invitation unless registration is open.',
  tag,
  body: Type.Object(
    {
      email: Email,
      account_password: NewPassword,
      display_name: Name,
      code: Type.Optional(Type.String({ maxLength: 20 })),
      invitation: Type.Optional(Invitation),
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
  body: Type.Object({ email: Email, account_password: Password, known_device: Type.Optional(KnownDevice) }, closed),
  status: 200,
  reply: Tokens,
  limit: { body: 4 * KB, perMinute: 60, by: 'address' },
  access: everyone(200),
});

export const refresh = defineRoute({
  method: 'POST',
  path: '/auth/refresh',
  summary:
    'Exchanges the refresh token, from the cookie or from the body, for a new one and an access token. The same token again within a minute, from the same device, gives the same one.',
  tag,
  body: Type.Union([
    Type.Object(
      { refresh_token: Type.Optional(Type.String({ maxLength: 200 })), known_device: Type.Optional(KnownDevice) },
      closed,
    ),
    Nothing,
  ]),
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

export const changeProfile = defineRoute({
  method: 'PATCH',
  path: '/auth/me',
  summary: "Changes one's own name, which contacts, agents and members of shared conversations see.",
  tag,
  body: Type.Object({ display_name: Name }, closed),
  status: 200,
  reply: Type.Object({ display_name: Type.String() }),
  limit: { body: 2 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(200),
});

export const changeEmail = defineRoute({
  method: 'POST',
  path: '/auth/email',
  summary:
    'Changes the e-mail address, which signs in and gets links for a lost password. If the server sends e-mail, the first call sends a code to the new address, and the second one wants it. The old address is told.',
  tag,
  body: Type.Object(
    {
      account_password: Password,
      known_device: Type.Optional(KnownDevice),
      email: Email,
      code: Type.Optional(Type.String({ maxLength: 20 })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    email: Type.String({ description: 'The address of the account now.' }),
    code_sent: Type.Boolean({ description: 'Nothing was changed yet: the code is on its way.' }),
  }),
  limit: { body: 4 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(200),
});

export const listSessions = defineRoute({
  method: 'GET',
  path: '/auth/sessions',
  summary: "One's own sessions, newest first.",
  tag,
  query: Type.Object({ cursor: Type.Optional(Id) }, closed),
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
    next_cursor: Type.Union([Type.String(), Type.Null()]),
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
  summary:
    'Changes the password. All other sessions of the account end at once, and its passkeys but those that are named.',
  tag,
  body: Type.Object(
    {
      account_password: Password,
      known_device: Type.Optional(KnownDevice),
      new_password: NewPassword,
      keep_passkeys: Type.Optional(
        Type.Array(Type.String({ maxLength: 1_400 }), {
          maxItems: 20,
          description: 'The ids of those that stay; without it, the one that this session began with.',
        }),
      ),
    },
    closed,
  ),
  status: 204,
  reply: Nothing,
  limit: { body: 32 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(204),
});

export const reauthenticate = defineRoute({
  method: 'POST',
  path: '/auth/reauthenticate',
  summary: 'Proves again who is there, by password or passkey: what opens the account to others wants it (AC-3).',
  tag,
  body: Type.Union([
    Type.Object({ account_password: Password, known_device: Type.Optional(KnownDevice) }, closed),
    Type.Object({ challenge_id: Id, credential: Type.Record(Type.String(), Type.Unknown()) }, closed),
  ]),
  status: 200,
  reply: Type.Object({ expires_in_seconds: Type.Integer() }),
  limit: { body: 32 * KB, perMinute: 20, by: 'caller' },
  access: anyPerson(200),
});

export const listNotices = defineRoute({
  method: 'GET',
  path: '/auth/notices',
  summary: "What happened to the ways into one's own account in the last 90 days, newest first.",
  tag,
  status: 200,
  reply: Type.Object({
    notices: Type.Array(
      Type.Object({
        notice_id: Id,
        kind: Type.Union([
          Type.Literal('password_changed'),
          Type.Literal('password_reset'),
          Type.Literal('operator_reset_link'),
          Type.Literal('passkey_added'),
          Type.Literal('passkey_removed'),
          Type.Literal('program_let_in'),
          Type.Literal('email_changed'),
        ]),
        detail: Type.String({ description: 'The name of the passkey, the old address, or the program that did it.' }),
        created_at: Time,
      }),
    ),
  }),
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: anyPerson(200),
});

export const requestPasswordReset = defineRoute({
  method: 'POST',
  path: '/auth/password-reset/request',
  summary: 'Sends a link to reset the password. The reply does not tell whether the address is known.',
  tag,
  body: Type.Object({ email: Email }, closed),
  status: 202,
  reply: Type.Object({ expires_in_seconds: Type.Integer() }),
  limit: { body: 2 * KB, perMinute: 10, by: 'address' },
  access: everyone(202),
});

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/auth/password-reset',
  summary: 'Sets a new password with the code of a reset link, once. All sessions end; keys stay with their devices.',
  tag,
  body: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: 100 }),
      new_password: NewPassword,
      keep_passkeys: Type.Optional(Type.Boolean({ description: 'Without it, all passkeys end.' })),
    },
    closed,
  ),
  status: 204,
  reply: Nothing,
  limit: { body: 4 * KB, perMinute: 20, by: 'address' },
  access: everyone(204),
});

export const deleteAccount = defineRoute({
  method: 'DELETE',
  path: '/auth/account',
  summary: 'Deletes the account: personal data is erased, sessions, devices, agents and relations end.',
  tag,
  body: Type.Object({ account_password: Password, known_device: Type.Optional(KnownDevice) }, closed),
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

export const readUsage = defineRoute({
  method: 'GET',
  path: '/auth/account/usage',
  summary: 'What the account may use, with all its agents together, and what it does use.',
  tag,
  status: 200,
  reply: Type.Object({ budgets: Type.Array(BudgetUse) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const AUTH_ROUTES = [
  getSignUp,
  checkInvitation,
  sendCode,
  register,
  login,
  refresh,
  logout,
  me,
  changeProfile,
  changeEmail,
  listSessions,
  revokeSession,
  changePassword,
  requestPasswordReset,
  resetPassword,
  reauthenticate,
  listNotices,
  deleteAccount,
  exportAccount,
  readUsage,
];
