import type { Json, JsonObject } from '../json.ts';

/** The code under test: it compares schemas and checks values. */
export interface Subject {
  /** Starts comparisons that share one cache. */
  open(): Compare;
  /** Its own verdict on values. */
  check(schema: JsonObject): (value: Json) => boolean;
}

/** Returns undefined if it refuses one of the schemas. */
type Compare = (before: JsonObject, after: JsonObject) => Comparison | undefined;

export interface Comparison {
  /** True if it says that the new schema accepts whatever the old one accepts. */
  readonly silent: boolean;
  /** True if it says that both schemas accept the same values. */
  readonly same: boolean;
  /** Values that, it says, the old schema accepts and the new one rejects. */
  readonly witnesses: readonly Json[];
  /** The positions of everything that it could not decide. */
  readonly undecided: readonly string[];
}

export type FailureKind =
  /** It was called silent, but the old schema accepts the instance and the new one rejects it. */
  | 'unsound'
  /** It was called the same, but the old schema rejects the instance and the new one accepts it. */
  | 'not the same'
  /** The instance was given as a witness and is none. */
  | 'false witness'
  /** Its checker and the judges disagree about the instance under `before`. */
  | 'wrong verdict';

export interface Failure {
  readonly kind: FailureKind;
  /** The number that generates these schemas again. */
  readonly pair: number;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly instance: Json;
  /** The pairs that were compared before, with the same cache. */
  readonly earlier: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
}
