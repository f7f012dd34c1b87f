import type { Json } from '../json/value.ts';
import type { DescriptorChangeCode } from './change-texts.ts';

/** A change, before it is judged. */
export interface ChangeFact {
  readonly code: DescriptorChangeCode;
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly params: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly witness?: Json;
}
