import { ID_PATTERN } from '@parley/base';
import type { Static } from 'typebox';
import { CONTENT_TYPES, MSG_SUBTYPES, PAYLOADS } from './payload.ts';
import * as Type from './schema/type.ts';

/** The size of a payload with its nonce and tag, as base64url. */
const charactersOf = (bytes: number) => Math.ceil(((bytes + 64) * 4) / 3);
/** 100,000 UTF-16 units of text (TC-9) are at most 300,000 bytes; room is left for the JSON around them. */
const CIPHERTEXT_CHARACTERS = 420_000;
/** The most bytes of the whole envelope as JSON. */
export const MAX_ENVELOPE_BYTES = 512 * 1024;
const MAX_WRAPS = 1_024;

const closed = { additionalProperties: false } as const;
const Id = Type.String({ pattern: ID_PATTERN });
const Base64Url = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength });

export const Sender = Type.Object(
  {
    kind: Type.Union([Type.Literal('human'), Type.Literal('agent')]),
    id: Id,
    device_id: Type.Optional(Id),
  },
  closed,
);

/** The part of a message that the server sees; it is bound to the encrypted content as associated data (EE-1, TC-6). */
export const Header = Type.Object(
  {
    version: Type.Literal(1),
    conversation_id: Id,
    sender: Sender,
    client_message_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    content_type: Type.Enum(CONTENT_TYPES),
    msg_subtype: Type.Enum(MSG_SUBTYPES),
    created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  },
  closed,
);

/** A sealed message. The server reads the header; it cannot read the rest (EE-8). */
export const Envelope = Type.Object(
  {
    header: Header,
    ciphertext: Base64Url(CIPHERTEXT_CHARACTERS),
    wraps: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: MAX_WRAPS }),
    signature: Base64Url(256),
  },
  closed,
);

export type Sender = Static<typeof Sender>;
export type Header = Static<typeof Header>;
export type Envelope = Static<typeof Envelope>;

/** Does the label fit the kind of message and its sender (TC-1)? */
export function labelFits({ content_type, msg_subtype, sender }: Header): boolean {
  // The sender's header was not checked by a schema yet.
  if (!Object.hasOwn(PAYLOADS, msg_subtype)) return false;
  const { contentType, from } = PAYLOADS[msg_subtype];
  return contentType === content_type && (from === undefined || from === sender.kind);
}

/** Checks the limits of TC-10 as far as the encrypted size tells. */
export function isTooLarge({ header, ciphertext }: Envelope): boolean {
  const { maxBytes } = PAYLOADS[header.msg_subtype];
  return maxBytes !== undefined && ciphertext.length > charactersOf(maxBytes);
}
