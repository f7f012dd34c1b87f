import type { createSubject } from './subject.mjs';

export interface Variant {
  readonly id: string;
  /** Below the `schema` folder of what was built. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export function loadEngine(variant?: Variant): Promise<Parameters<typeof createSubject>[0]>;
export function removeVariants(): void;
