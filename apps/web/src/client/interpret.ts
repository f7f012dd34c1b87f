import type { TSchema } from 'typebox';
import { Check as isValid } from 'typebox/schema';

class Interpreted {
  readonly #schema: TSchema;

  constructor(schema: TSchema) {
    this.#schema = schema;
  }

  Check(value: unknown): boolean {
    return isValid(this.#schema, value);
  }
}

/**
 * Stands in for `typebox/compile` in the page: its policy forbids generated code, so the generator would only be
 * carried along, and complain. Checks are interpreted here.
 */
export function Compile(schema: TSchema): Interpreted {
  return new Interpreted(schema);
}
