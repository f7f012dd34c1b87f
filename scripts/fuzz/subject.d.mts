import type { Subject } from '@parley/testkit';

export function createSubject(engine: {
  createSchemaDiff: () => (before: never, after: never) => readonly object[];
  readSchema: (schema: never) => { readonly root?: unknown };
  compileCheck: (root: never) => (value: never) => { readonly valid: boolean };
}): Subject;
