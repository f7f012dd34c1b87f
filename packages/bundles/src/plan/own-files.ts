import type { InstalledFile } from '../files/state.ts';
import { sha256 } from '../sha256.ts';
import type { Conflict } from './conflict.ts';
import type { KeptFile } from './kept-file.ts';
import type { PlanOperation } from './operation.ts';
import type { LiveFile } from './workspace-state.ts';

export interface OwnStep {
  readonly path: string;
  readonly live: LiveFile | undefined;
  /** The file that we installed there, if any. */
  readonly installed: InstalledFile | undefined;
  /** What should be there: bytes, a kept file, or nothing. */
  readonly wanted: { readonly content: Exclude<PlanOperation['content'], null>; readonly mode: number } | undefined;
  readonly keep: boolean;
  readonly onEdit: 'refuse' | 'keep';
}

export interface Step {
  readonly operation?: PlanOperation;
  readonly conflict?: Conflict;
  readonly kept?: KeptFile;
  readonly file?: InstalledFile;
}

/**
 * Plans a file that only the bundle writes. A file that was changed since we wrote it belongs to the user (BA-3, BA-5).
 */
export function stepOwnFile({ path, live, installed, wanted, keep, onEdit }: OwnStep): Step {
  const refuse = (conflict: Conflict, reason: KeptFile['reason']): Step =>
    onEdit === 'refuse' ? { conflict } : { kept: { path, reason } };
  if (live?.kind === 'other') return refuse({ code: 'NOT_A_FILE', path }, 'not_a_file');
  if (live !== undefined && live.links > 1) return refuse({ code: 'HARD_LINK', path }, 'edited');
  if (live !== undefined && installed === undefined)
    return wanted === undefined ? {} : refuse({ code: 'FILE_EXISTS', path }, 'edited');
  if (live !== undefined && live.digest !== installed?.digest)
    return wanted === undefined || onEdit === 'keep'
      ? { kept: { path, reason: 'edited' } }
      : { conflict: { code: 'FILE_EDITED', path } };
  if (wanted === undefined) {
    if (live === undefined) return installed === undefined ? {} : { kept: { path, reason: 'gone' } };
    const { digest, mode } = live;
    return {
      operation: { action: 'remove', kind: 'own', path, before: digest, after: null, mode, content: null, keep },
    };
  }
  const { content, mode } = wanted;
  const after = 'kept' in content ? content.digest : sha256(content);
  const file: InstalledFile = { kind: 'own', path, digest: after };
  if (live?.digest === after) return { file };
  const before = live?.digest ?? null;
  const action = before === null ? 'create' : 'modify';
  return {
    file,
    operation: { action, kind: 'own', path, before, after, mode, content, keep: keep && before !== null },
  };
}
