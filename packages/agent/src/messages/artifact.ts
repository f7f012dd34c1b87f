import type { Json, JsonObject } from '@parley/documents';
import { ARTIFACT_KINDS, type Card, type ToolCall } from '@parley/protocol';

type CardKind = Card['subtype'];
interface ToolCallFields {
  readonly call_id?: string | undefined;
  readonly tool_name: string;
  readonly arguments?: { readonly [name: string]: unknown } | undefined;
  readonly permission_scope?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly expires_at?: string | undefined;
}
type CardFields = Partial<Omit<Card, 'artifact_id' | 'subtype'>>;

type Flat =
  | ({ readonly artifact_id?: string; readonly subtype: 'tool_call' } & ToolCallFields)
  | ({ readonly artifact_id?: string; readonly subtype: CardKind } & CardFields);
type Nested =
  | { readonly artifact_id?: string; readonly subtype: 'tool_call'; readonly payload: ToolCallFields }
  | { readonly artifact_id?: string; readonly subtype: CardKind; readonly payload: CardFields };

/**
 * An artifact in the flat form of the wire, or in the guide's form with `payload` inside; alone or as `artifact`
 * (SK-2).
 */
export type ArtifactInput = Flat | Nested | { readonly artifact: Flat | Nested };

/** A call without the fields that are filled in from the manifest. */
export type UnfilledCall = Omit<ToolCall, 'permission_scope' | 'timeout_ms'> &
  Partial<Pick<ToolCall, 'permission_scope' | 'timeout_ms'>>;

const CALL_FIELDS = ['tool_name', 'permission_scope', 'timeout_ms', 'expires_at'] as const;
const CARD_FIELDS = ['title', 'blocks', 'progress', 'revision'] as const;

export function readArtifact(input: ArtifactInput, makeId: () => string): UnfilledCall | Card {
  const outer = 'artifact' in input ? input.artifact : input;
  const { subtype, artifact_id: artifactId } = outer;
  const fields = ('payload' in outer ? outer.payload : outer) as JsonObject;
  if (subtype === 'tool_call') {
    const callId = (fields.call_id as string | undefined) ?? artifactId ?? makeId();
    const { arguments: given = {} } = fields;
    return { subtype, call_id: callId, arguments: given, ...pick(fields, CALL_FIELDS) } as UnfilledCall;
  }
  if (!ARTIFACT_KINDS.includes(subtype)) {
    throw new TypeError(`artifact.subtype: must be tool_call or one of ${ARTIFACT_KINDS.join(', ')}`);
  }
  return { artifact_id: artifactId ?? makeId(), subtype, blocks: [], ...pick(fields, CARD_FIELDS) } as Card;
}

function pick(fields: JsonObject, names: readonly string[]): Record<string, Json> {
  const present = names.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, fields[name]!]));
}
