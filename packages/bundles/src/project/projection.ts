import type { Locale } from '@parley/base';
import type { Bundle } from '@parley/documents/bundle';

/** What comes with a kit, by the kit's id; verified against its digest before it gets here. */
export type KitFiles = ReadonlyMap<string, readonly KitFile[]>;

export interface KitFile {
  /** Relative to the kit's folder, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/** A file as it should be, whatever is there now. */
export type ProjectedFile =
  | { readonly kind: 'own'; readonly path: string; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'block'; readonly path: string; readonly block: string };

/** What a person still has to supply. */
export interface Missing {
  readonly code: 'MCP_LAUNCH_MISSING' | 'ENTRY_POINT_MISSING' | 'KIT_CONTENT_MISSING';
  readonly kit: string;
  readonly detail: string;
}

export interface ProjectionInput {
  readonly bundle: Bundle;
  readonly kitFiles: KitFiles;
  readonly locale: Locale;
}

/** A kind of workspace. One small file each. */
export interface Target {
  readonly id: string;
  /** What `thinkingLevel` is called there; null if there is no such setting. */
  readonly thinking: Readonly<Record<ThinkingLevel, string>> | null;
  /** Where the content of a kit goes. */
  kitFolder(kitId: string): string;
  /** Everything but what every target has: kit contents and `.roleos/`. */
  project(input: ProjectionInput): readonly ProjectedFile[];
}

type ThinkingLevel = 'none' | 'normal' | 'deep';
