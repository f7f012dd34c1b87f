import type { Locale } from '@parley/base';
import type { Bundle } from '@parley/documents/bundle';
import type { KitFiles } from '../kits/kit-file.ts';
import type { Missing } from './missing.ts';

/** A file as it should be, regardless of what is there now. */
export type ProjectedFile =
  | { readonly kind: 'own'; readonly path: string; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'block'; readonly path: string; readonly block: string };

export interface ProjectionInput {
  readonly bundle: Bundle;
  readonly kitFiles: KitFiles;
  readonly locale: Locale;
}

/** Every file that a bundle puts into a workspace, sorted by path, and what is missing. */
export interface WorkspaceProjection {
  readonly files: readonly ProjectedFile[];
  readonly missing: readonly Missing[];
}

/** A kind of workspace. Each has one small file. */
export interface Target {
  readonly id: string;
  /** The names of `thinkingLevel` in this runtime; null if it has no such setting. */
  readonly thinking: Readonly<Record<ThinkingLevel, string>> | null;
  /** Where the content of a kit goes. */
  kitFolder(kitId: string): string;
  /** Returns everything except what every target has: kit contents and `.roleos/`. */
  project(input: ProjectionInput): readonly ProjectedFile[];
}

type ThinkingLevel = 'none' | 'normal' | 'deep';
