import { TIMED_ID_PATTERN } from '@parley/base';
import { Sha256 } from '../chains/chain.ts';
import { DeviceStatement } from '../chains/device-list.ts';
import { closed, Id, Name, Nothing, PublicKey, Signature, SignedTime, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, ownerOnly } from './access.ts';

const tag = 'devices';
const KB = 1024;

/** Before there was a device list, each device had a certificate of its own, under the account key (EE-14). */
const Certificate = Type.Object(
  {
    purpose: Type.Literal('parley-device-v1'),
    account_id: Id,
    device_id: Type.Optional(Id),
    identity_key: PublicKey,
    exchange_key: PublicKey,
    created_at: SignedTime,
    signature: Signature,
  },
  closed,
);
const publicPart = {
  device_id: Id,
  identity_key: PublicKey,
  exchange_key: PublicKey,
  /** Of accounts whose devices have not made a list yet; null for all others. */
  certificate: Type.Union([Certificate, Type.Null()]),
};
const PublicDevice = Type.Object(publicPart);
const Device = Type.Object({
  ...publicPart,
  name: Type.String(),
  current: Type.Boolean(),
  /** As the server reads the list; whoever relies on it reads the list. */
  listed: Type.Boolean(),
  created_at: Time,
  /** Set while it waits to be let in (EE-16). */
  pairing: Type.Union([PublicKey, Type.Null()]),
  /** For this session's own device, once it was let in. */
  welcome: Type.Optional(Type.String()),
});
const NullableHash = Type.Union([Sha256, Type.Null()]);
/** Where the list ends. */
const end = { length: Type.Integer(), head: NullableHash };
const MAX_WELCOME = 4 * 1024 * KB;

export const addDevice = defineRoute({
  method: 'POST',
  path: '/devices',
  summary: 'Registers the keys of the device that this session runs on, or finds the device again.',
  tag,
  body: Type.Object(
    {
      name: Name,
      identity_key: PublicKey,
      exchange_key: PublicKey,
      /** Chosen by the device, because the list names it. */
      device_id: Type.Optional(Type.String({ pattern: TIMED_ID_PATTERN })),
      /** By the first device of an account: the first statement of the list. */
      statement: Type.Optional(DeviceStatement),
      /** By every other one: 32 bytes that the code on its screen authenticates (EE-16). */
      pairing: Type.Optional(PublicKey),
      /**
       * The identity key signs the canonical `{ purpose: "parley-device-bind-v1", account_id, session_id, identity_key
       * }`. Required for a known device: a stolen session must not pass for it.
       */
      proof: Type.Optional(Signature),
    },
    closed,
  ),
  status: 201,
  reply: Device,
  limit: { body: 16 * KB, perMinute: 30, by: 'caller' },
  access: anyPerson(201),
});

export const listDevices = defineRoute({
  method: 'GET',
  path: '/devices',
  summary: "One's own devices.",
  tag,
  status: 200,
  reply: Type.Object({ devices: Type.Array(Device) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const appendDeviceStatement = defineRoute({
  method: 'POST',
  path: '/devices/list',
  summary: 'Adds a statement to the device list: add, keep, revoke, rotate or recover (EE-18).',
  tag,
  body: Type.Object({ statement: DeviceStatement }, closed),
  status: 201,
  reply: Type.Object(end),
  limit: { body: 512 * KB, perMinute: 30, by: 'caller' },
  access: anyPerson(201),
});

export const welcomeDevice = defineRoute({
  method: 'PUT',
  path: '/devices/:device_id/welcome',
  summary: 'Leaves a sealed message for a device that was let in: what the account knows (EE-16).',
  tag,
  params: Type.Object({ device_id: Id }),
  body: Type.Object({ welcome: Type.String({ maxLength: MAX_WELCOME, pattern: '^[A-Za-z0-9_-]+$' }) }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: MAX_WELCOME + KB, perMinute: 10, by: 'caller' },
  access: ownerOnly(204),
});

export const revokeDevice = defineRoute({
  method: 'DELETE',
  path: '/devices/:device_id',
  summary: "Ends one of one's own devices at the server: its sessions end at once. The list is signed apart (EE-18).",
  tag,
  params: Type.Object({ device_id: Id }),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: ownerOnly(204),
});

export const accountDevices = defineRoute({
  method: 'GET',
  path: '/accounts/:account_id/devices',
  summary: 'The devices of someone one shares a conversation with. For others they do not exist.',
  tag,
  params: Type.Object({ account_id: Id }),
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) }, closed),
  status: 200,
  reply: Type.Object({
    account_id: Id,
    statements: Type.Array(DeviceStatement, { description: 'At most 100; ask again after the last.' }),
    ...end,
    /** Those that the server lets in. One that is missing gets no messages, listed or not. */
    devices: Type.Array(PublicDevice),
    /** The account key of before there was a list, and its revoked devices; empty once there is one. */
    account_key: Type.Union([PublicKey, Type.Null()]),
    revoked_devices: Type.Array(PublicDevice),
  }),
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: { ...ownerOnly(200), member: 200, other_agent: 404, self: 200 },
});

export const DEVICE_ROUTES = [
  addDevice,
  listDevices,
  appendDeviceStatement,
  welcomeDevice,
  revokeDevice,
  accountDevices,
];
