import { appendBlock, findBlock, isUtf8Text, removeBlock, replaceBlock } from '../blocks/block.ts';
import type { InstalledFile, SharedOriginal } from '../files/state.ts';
import { sha256 } from '../sha256.ts';
import type { Conflict } from './conflict.ts';
import type { KeptFile } from './kept-file.ts';
import type { PlanOperation } from './operation.ts';
import type { Step } from './own-files.ts';
import type { LiveFile } from './workspace-state.ts';

const MODE = 0o644;

export interface BlockStep {
  readonly bundleId: string;
  readonly path: string;
  readonly live: LiveFile | undefined;
  readonly installed: InstalledFile | undefined;
  /** The block that should be in the file. */
  readonly wanted: string | undefined;
  /** What the file was before our first block; undefined if we have none in it. */
  readonly original: SharedOriginal | undefined;
  /** True if no other bundle has a block in the file. */
  readonly last: boolean;
  readonly keep: boolean;
  readonly onEdit: 'refuse' | 'keep';
}

/** Plans a marked block in a file of the user's. The text around it is never touched (BA-3). */
export function stepBlockFile(step: BlockStep): Step {
  const { path, live, installed, wanted, bundleId, onEdit } = step;
  const refuse = (conflict: Conflict, reason: KeptFile['reason']): Step =>
    onEdit === 'refuse' ? { conflict } : { kept: { path, reason } };
  if (live === undefined) {
    if (wanted === undefined) return { kept: { path, reason: 'gone' } };
    return { file: blockFile(path, wanted), operation: write(step, Buffer.from(wanted)) };
  }
  if (live.kind === 'other') return refuse({ code: 'NOT_A_FILE', path }, 'not_a_file');
  if (live.links > 1) return refuse({ code: 'HARD_LINK', path }, 'edited');
  const block = findBlock(live.bytes, bundleId);
  if (block.found === 'broken') return refuse({ code: 'BLOCK_BROKEN', path }, 'block_edited');
  if (!block.found) {
    if (wanted === undefined) return { kept: { path, reason: 'gone' } };
    if (!isUtf8Text(live.bytes)) return refuse({ code: 'NOT_TEXT', path }, 'edited');
    return { file: blockFile(path, wanted), operation: write(step, appendBlock(live.bytes, wanted)) };
  }
  if (installed === undefined) return refuse({ code: 'BLOCK_FOREIGN', path }, 'block_edited');
  if (sha256(block.bytes) !== installed.digest) {
    if (wanted !== undefined && sha256(wanted) === sha256(block.bytes)) return { file: blockFile(path, wanted) };
    return refuse({ code: 'BLOCK_EDITED', path }, 'block_edited');
  }
  if (wanted === undefined) return takeOut(step, live, removeBlock(live.bytes, block));
  const file = blockFile(path, wanted);
  const content = replaceBlock(live.bytes, block, wanted);
  return content.equals(live.bytes) ? { file } : { file, operation: write(step, content) };
}

function takeOut({ path, original, last }: BlockStep, live: LiveFile & { kind: 'file' }, rest: Buffer): Step {
  const { digest: before, mode } = live;
  const base = { kind: 'block', path, before, mode, keep: false } as const;
  if (last && original?.digest === null && rest.length === 0)
    return { operation: { ...base, action: 'remove', after: null, content: null } };
  const after = sha256(rest);
  const same = original?.digest === after;
  const content = last && same && original.kept !== null ? { kept: original.kept, digest: after } : rest;
  const operation: PlanOperation = { ...base, action: 'modify', after, content };
  return last && !same ? { operation, kept: { path, reason: 'edited_around' } } : { operation };
}

function write({ path, live, keep, original }: BlockStep, content: Buffer): PlanOperation {
  const found = live?.kind === 'file' ? live : undefined;
  return {
    action: found === undefined ? 'create' : 'modify',
    kind: 'block',
    path,
    before: found?.digest ?? null,
    after: sha256(content),
    mode: found?.mode ?? MODE,
    content,
    // Only the first of our blocks sees the original.
    keep: keep && found !== undefined && original === undefined,
  };
}

const blockFile = (path: string, block: string): InstalledFile => ({ kind: 'block', path, digest: sha256(block) });
