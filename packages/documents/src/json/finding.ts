import type { Json } from './value.ts';

export type Severity = 'error' | 'warning';

/** What is wrong and where, as data (CM-15). The sentences come from the locale tables. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** JSON Pointer into the document. */
  readonly path: string;
  readonly params: Readonly<Record<string, Json>>;
}

/** A finding with its sentence in one language. */
export interface Message extends Finding {
  readonly message: string;
}
