import type { FileSystem } from './files/file-system.ts';

export interface Progress {
  readonly step: 'fetch' | 'write';
  readonly done: number;
  readonly total: number;
}

/** What every operation that takes a while takes. */
export interface OperationOptions {
  /** Until the moment of truth everything is put back; after it the operation ends as if nobody had asked. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** For tests that stop at the nth file operation. */
  readonly files?: FileSystem | undefined;
  readonly now?: (() => Date) | undefined;
}
