import type { Json } from '../../json/value.ts';

export type SchemaChangeCode =
  | 'schema.required_added'
  | 'schema.type_changed'
  | 'schema.closed'
  | 'schema.opened'
  | 'schema.enum_removed'
  | 'schema.enum_added'
  | 'schema.narrowed'
  | 'schema.widened'
  | 'schema.annotation';

/** A step from an instance to a part of it: a property, an item, or any item from an index on. */
export type Step = string | number | { readonly from: number };

/** One edit of a schema and what it means for the accepted values. */
export interface SchemaChange {
  readonly code: SchemaChangeCode;
  /** JSON Pointer into the schema of that side: `old` for removals. */
  readonly path: string;
  readonly side: 'old' | 'new';
  /** The position in the instance. */
  readonly steps: readonly Step[];
  /** The edited keyword; empty if a whole schema was edited. */
  readonly keyword: string;
  readonly before?: Json;
  readonly after?: Json;
  /** A value that the old schema accepts and the new one rejects. */
  readonly witness?: Json;
  /** Set if it could not be proven that nothing is rejected now. */
  readonly undecided?: true;
}
