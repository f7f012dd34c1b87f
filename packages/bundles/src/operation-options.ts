import type { FileSystem } from './files/file-system.ts';

export interface Progress {
  readonly step: 'fetch' | 'write';
  readonly done: number;
  readonly total: number;
}

/** The options of every operation that takes a while. */
export interface OperationOptions {
  /** Before the commit, aborting rolls everything back; after it, aborting has no effect. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Tests use it to stop at the nth file operation. */
  readonly files?: FileSystem | undefined;
  readonly now?: (() => Date) | undefined;
}
