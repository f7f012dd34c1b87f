import { closed, Id, PublicKey, Signature } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

const tag = 'keys';
const KB = 1024;
const KeyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const OneTimePrekey = Type.Object({ key_id: KeyId, public_key: PublicKey }, closed);
/** Signed by the identity key over the canonical `{ purpose: "parley-signed-prekey-v1", key_id, public_key }`. */
const SignedPrekey = Type.Object({ key_id: KeyId, public_key: PublicKey, signature: Signature }, closed);
/** The number of one's own one-time keys on the server, and the lowest id that a new one may have. */
const Stock = Type.Object({
  one_time_prekeys: Type.Integer(),
  next_key_id: Type.Integer(),
  signed_prekey_id: Type.Union([Type.Integer(), Type.Null()]),
});
/** Devices with keys and agents have access: both upload keys of their own. */
const access = { ...anyPerson(200), other_agent: 200, self: 200 };

export const putKeys = defineRoute({
  method: 'PUT',
  path: '/keys',
  summary: "Uploads prekeys of the session's device, or of the agent. Ids of one-time keys only rise; 100 are kept.",
  tag,
  body: Type.Object(
    { signed_prekey: SignedPrekey, one_time_prekeys: Type.Array(OneTimePrekey, { maxItems: 100 }) },
    closed,
  ),
  status: 200,
  reply: Stock,
  limit: { body: 32 * KB, perMinute: 30, by: 'caller' },
  access,
});

export const keyStatus = defineRoute({
  method: 'GET',
  path: '/keys/status',
  summary: "How many one-time keys are left of the session's device, or of the agent.",
  tag,
  status: 200,
  reply: Stock,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access,
});

const Targets = Type.Array(Id, { maxItems: 100, uniqueItems: true });

export const takeBundles = defineRoute({
  method: 'POST',
  path: '/keys/bundles',
  summary: 'X3DH bundles of devices and agents one shares a conversation with. A one-time key is given once, ever.',
  tag,
  body: Type.Object({ devices: Type.Optional(Targets), agents: Type.Optional(Targets) }, closed),
  status: 200,
  reply: Type.Object({
    bundles: Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal('device'), Type.Literal('agent')]),
        id: Id,
        identity_key: PublicKey,
        exchange_key: PublicKey,
        signed_prekey: Type.Union([SignedPrekey, Type.Null()]),
        one_time_prekey: Type.Union([OneTimePrekey, Type.Null()]),
      }),
    ),
  }),
  limit: { body: 16 * KB, perMinute: 60, by: 'caller' },
  access: { ...anyPerson(404), member: 200, owner: 200, other_agent: 404, self: 200 },
});

export const KEY_ROUTES = [putKeys, keyStatus, takeBundles];
