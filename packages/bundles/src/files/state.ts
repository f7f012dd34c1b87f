import { parseJson } from '@parley/documents';
import type { ActivationScope, RollbackProfile } from '@parley/documents/bundle';
import { isSafePath } from '@parley/documents/bundle';
import { bundleError } from '../bundle-error.ts';
import { isOurFile, isOurFolder } from './allowed-paths.ts';
import { SNAPSHOTS, STATE_FILE } from './layout.ts';
import type { Tree } from './tree.ts';

/** The state that the workspace records about itself. Every transaction also changes it. */
export interface State {
  readonly version: 1;
  readonly session: { readonly id: string; readonly startedAt: string } | null;
  readonly bundles: readonly InstalledBundle[];
  /** What a shared file was before our first block: a digest, or null if there was no file. */
  readonly shared: Readonly<Record<string, SharedOriginal>>;
  /** Directories that we created and still use, outermost first. */
  readonly directories: readonly string[];
}

export interface SharedOriginal {
  readonly digest: string | null;
  /** The path of the original itself, if a snapshot was wanted. */
  readonly kept: string | null;
}

export interface InstalledBundle {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly target: string;
  readonly scope: ActivationScope;
  /** The session that owns it, if its scope is `session`; null until one starts. */
  readonly session: string | null;
  readonly rollback: RollbackProfile;
  readonly planDigest: string;
  readonly installedAt: string;
  readonly entryRole: string;
  /** Ids that no other active bundle may use. */
  readonly members: readonly string[];
  readonly teams: readonly string[];
  readonly files: readonly InstalledFile[];
  /** The latest snapshot; null if nothing was kept. */
  readonly snapshotId: string | null;
  readonly previous: PreviousBundle | null;
}

export type InstalledFile = OwnFile | BlockFile;

interface OwnFile {
  readonly kind: 'own';
  readonly path: string;
  readonly digest: string;
}

/** Our marked block in a file that otherwise belongs to the user. */
interface BlockFile {
  readonly kind: 'block';
  readonly path: string;
  /** The digest of the block alone. */
  readonly digest: string;
}

/** The version that an upgrade replaced. */
export interface PreviousBundle {
  readonly bundle: Omit<InstalledBundle, 'previous'>;
  /** Where the replaced files are kept, by path. A file that is missing here did not change. */
  readonly kept: Readonly<Record<string, string>>;
  readonly blocks: Readonly<Record<string, string>>;
}

export const EMPTY_STATE: State = { version: 1, session: null, bundles: [], shared: {}, directories: [] };
const MAX_BYTES = 16 * 1024 * 1024;
const DIGEST = /^[0-9a-f]{64}$/;
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SCOPES: readonly ActivationScope[] = ['session', 'agent', 'workspace', 'global'];

export async function readState(tree: Tree): Promise<State> {
  const file = await tree.read(STATE_FILE, MAX_BYTES);
  if (file === undefined) return EMPTY_STATE;
  const parsed = parseJson(file.bytes, { maxLength: MAX_BYTES });
  if (!parsed.ok || !isState(parsed.value)) throw bundleError('WORKSPACE_UNSAFE', { params: { path: STATE_FILE } });
  return parsed.value;
}

/** Lists every kept original that something still refers to. */
export function listKept({ bundles, shared }: State): Set<string> {
  const kept = Object.values(shared).flatMap((original) => original.kept ?? []);
  return new Set([...kept, ...bundles.flatMap(({ previous }) => Object.values(previous?.kept ?? {}))]);
}

export function writeState(state: State): Uint8Array {
  return Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
}

/** A workspace may come from a stranger, so everything that leads to a file is checked. */
function isState(value: unknown): value is State {
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.bundles)) return false;
  const { session } = value;
  if (session !== null && !(isRecord(session) && typeof session.id === 'string' && isTime(session.startedAt)))
    return false;
  if (!isRecord(value.shared) || !isTexts(value.directories) || !value.directories.every(isOurFolder)) return false;
  for (const [path, original] of Object.entries(value.shared)) {
    if (!isOurFile(path) || !isRecord(original) || !isKept(original.kept)) return false;
    if (original.digest !== null && !isDigest(original.digest)) return false;
  }
  return value.bundles.every((bundle) => isBundle(bundle) && isPrevious((bundle as InstalledBundle).previous));
}

function isBundle(value: unknown): boolean {
  if (!isRecord(value) || typeof value.id !== 'string' || !ID.test(value.id)) return false;
  const { version, name, target, scope, entryRole, planDigest, installedAt, rollback } = value;
  return (
    isTexts([version, name, target, entryRole, planDigest]) &&
    isTime(installedAt) &&
    SCOPES.includes(scope as ActivationScope) &&
    isRecord(rollback) &&
    isTexts(value.members) &&
    isTexts(value.teams) &&
    Array.isArray(value.files) &&
    value.files.every(isFile)
  );
}

function isFile(value: unknown): boolean {
  if (!isRecord(value) || typeof value.path !== 'string' || !isOurFile(value.path)) return false;
  return isDigest(value.digest) && (value.kind === 'own' || value.kind === 'block');
}

function isPrevious(value: unknown): boolean {
  if (value === null) return true;
  if (!isRecord(value) || !isRecord(value.kept) || !isRecord(value.blocks)) return false;
  const places = Object.values(value.kept);
  return isBundle(value.bundle) && places.every(isKept) && isTexts(Object.values(value.blocks));
}

const isKept = (path: unknown): boolean =>
  path === null || (typeof path === 'string' && path.startsWith(`${SNAPSHOTS}/`) && isSafePath(path));
/** Accepts only our own form: `Date` would also accept a time with brackets behind it. */
const isTime = (text: unknown): boolean => typeof text === 'string' && TIME.test(text);
const isDigest = (text: unknown): boolean => typeof text === 'string' && DIGEST.test(text);
const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((text) => typeof text === 'string');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
