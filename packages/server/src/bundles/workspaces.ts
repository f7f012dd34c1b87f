import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Locale, readAcceptLanguage } from '@parley/base';
import {
  type ActivationFailure,
  activateBundle,
  type BundleInput,
  describeConflict,
  describeKept,
  type InstalledBundle,
  type KeptFile,
  type KitFile,
  type KitFiles,
  previewBundle,
  previewRemoval,
  readWorkspaceState,
  rollback,
  uninstall,
} from '@parley/bundles';
import { type Bundle, toFindingReply } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { isWireError } from '@parley/protocol/errors';
import type { Caller } from '../http/caller.ts';
import { requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { readAll } from './files.ts';
import { readKit } from './mirror.ts';
import { invalidBundle } from './wire.ts';

/** The routes of the protocol that look at a workspace or write into one (BA-1, BA-2). */
export function addWorkspaces(router: Router, platform: Platform): void {
  const { workspaces = {} } = platform.config;
  router.add(bundleRoutes.previewBundle, async ({ caller, body: { manifest, workspace }, headers }) => {
    const locale = readAcceptLanguage(headers['accept-language']);
    if (workspace !== undefined) {
      const root = findRoot(platform, caller, workspace);
      return preview(platform, { manifest, locale, root });
    }
    // Those who have no workspace here see what an empty one would become.
    const root = await mkdtemp(join(tmpdir(), 'parley-preview-'));
    try {
      return await preview(platform, { manifest, locale, root });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  router.add(bundleRoutes.activateBundle, async ({ caller, body, headers }) => {
    const { manifest, planDigest, workspace = Object.keys(workspaces)[0] ?? '' } = body;
    const root = findRoot(platform, caller, workspace);
    const input = inputOf(platform, { manifest, locale: readAcceptLanguage(headers['accept-language']), root });
    const result = await orRequestError(() => activateBundle({ ...input, planDigest }));
    if (!result.ok) throw toRequestError(result.failure, input.locale ?? 'en');
    const { filesRemoved: _, ...reply } = result.reply;
    return {
      ...reply,
      workspace,
      filesCreated: [...reply.filesCreated],
      filesModified: [...reply.filesModified],
      assertions: reply.assertions.map((assertion) => ({ ...assertion })),
      warnings: reply.warnings.map(toFindingReply),
    };
  });

  router.add(bundleRoutes.listWorkspaces, async ({ caller }) => {
    const names = requireHuman(caller).role === 'admin' ? Object.entries(workspaces) : [];
    const listed = names.map(async ([name, root]) => {
      const { state } = await orRequestError(() => readWorkspaceState(root, []));
      return {
        name,
        bundles: state.bundles.map(({ id, version }) => `${id}@${version}`),
        installed: state.bundles.map(wireInstalled),
      };
    });
    return { workspaces: await Promise.all(listed) };
  });

  router.add(bundleRoutes.previewUndo, async ({ caller, params, query: { to = 'previous' }, headers }) => {
    const locale = readAcceptLanguage(headers['accept-language']);
    const workspace = findRoot(platform, caller, params.workspace);
    const plan = await orRequestError(() => previewRemoval({ workspace, bundleId: params.bundle_id, to }));
    return { ...plan, files: [...plan.files], manual: [...plan.manual], kept: wireKept(plan.kept, locale) };
  });

  router.add(bundleRoutes.undoBundle, async ({ caller, params, body: { to = 'previous', ...agreed }, headers }) => {
    const locale = readAcceptLanguage(headers['accept-language']);
    const workspace = findRoot(platform, caller, params.workspace);
    const work = to === 'previous' ? rollback : uninstall;
    const reply = await orRequestError(() => work({ workspace, bundleId: params.bundle_id, ...agreed }));
    if (!reply.done) throw new RequestError('REMOVAL_IS_MANUAL', {}, { details: { manual: reply.manual } });
    return {
      bundleId: reply.bundleId,
      version: reply.version,
      filesRestored: [...reply.filesRestored],
      filesRemoved: [...reply.filesRemoved],
      kept: wireKept(reply.kept, locale),
    };
  });
}

function wireInstalled({ id, version, name, installedAt, previous }: InstalledBundle) {
  const before = previous?.bundle;
  return {
    id,
    version,
    name,
    installedAt,
    previous: before === undefined ? null : { version: before.version, installedAt: before.installedAt },
  };
}

const wireKept = (kept: readonly KeptFile[], locale: Locale) =>
  kept.map((file) => ({ ...file, message: describeKept(file, locale) }));

/** Only operators, and only workspaces that were configured. */
function findRoot({ config }: Platform, caller: Caller, name: string): string {
  if (requireHuman(caller).role !== 'admin') throw new RequestError('FORBIDDEN');
  const { workspaces = {} } = config;
  const root = Object.hasOwn(workspaces, name) ? workspaces[name] : undefined;
  if (root === undefined) throw new RequestError('NOT_FOUND');
  return root;
}

interface Wanted {
  readonly manifest: unknown;
  readonly locale: Locale;
  readonly root: string;
}

async function preview(platform: Platform, wanted: Wanted) {
  const input = inputOf(platform, wanted);
  const result = await orRequestError(() => previewBundle(input));
  if (!result.ok) throw invalidBundle(result.failure.validation);
  const { reply, missing } = result;
  return { preview: { ...reply.preview }, markdown: reply.markdown, missing: [...missing] };
}

function inputOf(platform: Platform, { manifest, locale, root }: Wanted): BundleInput {
  return { manifest, locale, roots: { workspace: root }, kitFiles: (bundle) => findKitFiles(platform, bundle) };
}

async function findKitFiles(platform: Platform, { kits = [] }: Bundle): Promise<KitFiles> {
  const kitFiles = new Map<string, readonly KitFile[]>();
  let bytes = 0;
  for (const { id, mirror } of kits) {
    const index = await findMirrored(platform, mirror?.source, mirror?.clawHubRef ?? id);
    if (index === undefined) continue;
    // A kit that is there twice counts twice: each time it is hashed and planned for.
    bytes += index.files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES)
      throw new RequestError('MIRROR_INVALID', { kit: id, reason: 'the kits are too large together' });
    kitFiles.set(id, await readAll(platform.db, index));
  }
  return kitFiles;
}

/** For all kits of one bundle together, because anyone may ask for a preview. */
const MAX_BYTES = 16 * 1024 * 1024;
const OFFICIAL = /^roleos-mirror:\/\/official(?:\/(.+?)\/?)?$/;

/** In the official mirror of this host. */
async function findMirrored({ db }: Platform, source: string | undefined, ref: string) {
  const found = OFFICIAL.exec(source ?? '');
  if (found === null) return undefined;
  const [slug = '', version = ''] = (found[1] ?? ref).split(/[@/]/);
  return readKit(db, { slug, version }).catch(notFound);
}

function notFound(error: unknown): undefined {
  if (!(error instanceof RequestError)) throw error;
}

async function orRequestError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError || !isWireError(error)) throw error;
    throw new RequestError(error.code, error.params, { cause: error });
  }
}

function toRequestError(failure: ActivationFailure, locale: Locale): RequestError {
  switch (failure.code) {
    case 'BUNDLE_INVALID':
      return invalidBundle(failure.validation);
    case 'PLAN_CHANGED':
      return new RequestError('PLAN_CHANGED', {}, { details: { planDigest: failure.planDigest } });
    case 'WORKSPACE_CONFLICT':
      return new RequestError(
        'WORKSPACE_CONFLICT',
        {},
        {
          details: {
            conflicts: failure.conflicts.map((conflict) => ({
              ...conflict,
              message: describeConflict(conflict, locale),
            })),
          },
        },
      );
    case 'ASSERTION_FAILED':
      return new RequestError('ASSERTION_FAILED', {}, { details: { assertions: failure.assertions } });
  }
}
