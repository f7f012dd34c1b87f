import { closed, Id, Name, Nothing, PublicKey, Signature, SignedTime, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, ownerOnly } from './access.ts';

const tag = 'devices';
const KB = 1024;

/**
 * A certificate of a device (EE-14). The account key signs the canonical form (RFC 8785) of the other fields.
 * `device_id` is included when a waiting device is certified later.
 */
export const Certificate = Type.Object(
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
const CertificateOrNone = Type.Union([Certificate, Type.Null()]);
const Status = Type.Union([Type.Literal('certified'), Type.Literal('pending')]);
const publicPart = {
  device_id: Id,
  identity_key: PublicKey,
  exchange_key: PublicKey,
  certificate: CertificateOrNone,
  status: Status,
};
const PublicDevice = Type.Object(publicPart);
/** The changes are oldest first. Whoever pinned a key follows the signatures to the current one. */
const AccountKeyChanges = Type.Array(
  Type.Object({
    old_account_key: PublicKey,
    new_account_key: PublicKey,
    created_at: SignedTime,
    /**
     * The old key signs `{ purpose: "parley-account-key-v1", account_id, old_account_key, new_account_key, created_at
     * }`.
     */
    signature: Signature,
  }),
);
const Device = Type.Object({
  ...publicPart,
  name: Type.String(),
  current: Type.Boolean(),
  created_at: Time,
});

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
      /** Set by the first device of an account, which creates the key. */
      account_key: Type.Optional(PublicKey),
      certificate: Type.Optional(Certificate),
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
  limit: { body: 4 * KB, perMinute: 30, by: 'caller' },
  access: anyPerson(201),
});

export const listDevices = defineRoute({
  method: 'GET',
  path: '/devices',
  summary: "One's own devices.",
  tag,
  status: 200,
  reply: Type.Object({
    account_key: Type.Union([PublicKey, Type.Null()]),
    account_key_changes: AccountKeyChanges,
    devices: Type.Array(Device),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const certifyDevice = defineRoute({
  method: 'PUT',
  path: '/devices/:device_id/certificate',
  summary: 'Certifies a device that waits: approved on another device, or by the recovery secret.',
  tag,
  params: Type.Object({ device_id: Id }),
  body: Type.Object({ certificate: Certificate }, closed),
  status: 200,
  reply: Device,
  limit: { body: 4 * KB, perMinute: 30, by: 'caller' },
  access: ownerOnly(200),
});

export const replaceAccountKey = defineRoute({
  method: 'PUT',
  path: '/devices/account-key',
  summary: 'Replaces the account key, signed by the old one. All certificates end with it.',
  tag,
  body: Type.Object(
    {
      account_key: PublicKey,
      created_at: SignedTime,
      /**
       * The old key signs `{ purpose: "parley-account-key-v1", account_id, old_account_key, new_account_key, created_at
       * }`.
       */
      signature: Signature,
    },
    closed,
  ),
  status: 204,
  reply: Nothing,
  limit: { body: 2 * KB, perMinute: 10, by: 'caller' },
  access: anyPerson(204),
});

export const revokeDevice = defineRoute({
  method: 'DELETE',
  path: '/devices/:device_id',
  summary: "Revokes one of one's own devices; its sessions end at once.",
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
  status: 200,
  reply: Type.Object({
    account_id: Id,
    account_key: Type.Union([PublicKey, Type.Null()]),
    account_key_changes: AccountKeyChanges,
    devices: Type.Array(PublicDevice),
    /** Listed for verifying what they signed before (RL-10); nothing is sealed for them. */
    revoked_devices: Type.Array(PublicDevice),
  }),
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: { ...ownerOnly(200), member: 200, other_agent: 404, self: 200 },
});

export const DEVICE_ROUTES = [addDevice, listDevices, certifyDevice, replaceAccountKey, revokeDevice, accountDevices];
