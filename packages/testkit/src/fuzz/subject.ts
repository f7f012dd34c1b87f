import type { Json, JsonObject } from '../json.ts';

/** What is being tested: something that compares schemas, and something that checks values. */
export interface Subject {
  /** Comparisons that share one memory. */
  open(): Compare;
  /** Its own opinion of values. */
  check(schema: JsonObject): (value: Json) => boolean;
}

/** Undefined where it refuses one of the schemas. */
type Compare = (before: JsonObject, after: JsonObject) => Comparison | undefined;

export interface Comparison {
  /** It says that whatever the old schema accepts, the new one accepts. */
  readonly silent: boolean;
  /** It says that both schemas accept the same values. */
  readonly same: boolean;
  /** Values it says the old schema accepts and the new one rejects. */
  readonly witnesses: readonly Json[];
  /** For each thing it could not decide, where. */
  readonly undecided: readonly string[];
}

export type FailureKind =
  /** Called silent, but the instance is accepted by the old schema and rejected by the new one. */
  | 'unsound'
  /** Called the same, but the instance is rejected by the old schema and accepted by the new one. */
  | 'not the same'
  /** The instance was given as a witness and is none. */
  | 'false witness'
  /** Its checker says something else of the instance than the judges: of `before`. */
  | 'wrong verdict';

export interface Failure {
  readonly kind: FailureKind;
  /** The number that makes these schemas again. */
  readonly pair: number;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly instance: Json;
  /** What was compared before, with the same memory. */
  readonly earlier: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
}
