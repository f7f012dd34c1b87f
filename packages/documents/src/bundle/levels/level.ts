import type { Locale } from '@parley/base';
import type { Level } from '../finding.ts';
import type { Names } from '../names.ts';
import type { PartialBundle } from '../partial.ts';
import type { LevelReport } from '../reports.ts';
import type { Runtime } from '../types.ts';

/** Facts from outside the document. Checks that need an absent one are skipped. */
export interface Surroundings {
  /** The runtimes of this machine. */
  readonly runtimes?: readonly Runtime[];
  /** Digests of the kits' content, as `sha256:` and 64 digits (BA-6), by kit id. */
  readonly kitDigests?: ReadonlyMap<string, string>;
  /** Every path that the projection plan writes, relative to the workspace. */
  readonly planPaths?: readonly string[];
}

export interface Context {
  readonly bundle: PartialBundle;
  readonly names: Names;
  readonly surroundings: Surroundings;
}

/** One of the six levels (9.2). Missing and mistyped fields have been reported before. */
export interface LevelCheck {
  readonly level: Level;
  readonly name: Readonly<Record<Locale, string>>;
  check(context: Context, report: LevelReport): void;
}
