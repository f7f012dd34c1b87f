import { closed, Time } from '../formats.ts';
import { type CallerKind, defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { adminOnly, anyPerson, everyone } from './access.ts';
import { Publisher } from './publisher.ts';

// RKT bundles: the three routes of the protocol (camelCase, as it prints them), and the registry and mirror around them.

const KB = 1024;
const MB = 1024 * KB;
const tag = 'bundles';

const KebabId = Type.String({ maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });
const Version = Type.String({ maxLength: 100, pattern: '^[0-9A-Za-z.+-]+$' });
const WorkspaceName = Type.String({ maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });
const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const PlanDigest = Type.String({ pattern: '^(sha256:)?[0-9a-f]{64}$' });
/** The document engine checks it, level by level (BV), not the contract. */
const Manifest = Type.Unknown();
const Limit = Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1…100, 20 by default.' });
const Text = Type.String({ minLength: 1, maxLength: 200 });
const Risk = Type.Enum(['low', 'medium', 'high', 'critical'] as const);

const Finding = Type.Object({
  code: Type.String(),
  path: Type.String(),
  message: Type.String(),
  level: Type.String(),
});
export const BundleValidationReply = Type.Object({
  valid: Type.Boolean(),
  passedLevels: Type.Integer(),
  totalLevels: Type.Literal(6),
  results: Type.Array(
    Type.Object({
      level: Type.String(),
      name: Type.String(),
      passed: Type.Boolean(),
      errors: Type.Array(Finding),
      warnings: Type.Array(Finding),
    }),
  ),
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
});

export const validateBundle = defineRoute({
  method: 'POST',
  path: '/api/validate',
  summary: 'Check a bundle on all six levels (BV-1…6)',
  tag,
  body: Type.Object({ manifest: Manifest }, closed),
  status: 200,
  reply: BundleValidationReply,
  limit: { body: MB, perMinute: 60, by: 'caller' },
  access: everyone(200),
});

export const previewBundle = defineRoute({
  method: 'POST',
  path: '/api/shadow-preview',
  summary: 'What activating a bundle would do, without doing it (BA-1). Operators may name a workspace to compare with',
  tag,
  body: Type.Object({ manifest: Manifest, workspace: Type.Optional(WorkspaceName) }, closed),
  status: 200,
  reply: Type.Object({
    preview: Type.Record(Type.String(), Type.Unknown()),
    markdown: Type.String(),
    missing: Type.Array(
      Type.Object({
        code: Type.String(),
        kit: Type.String(),
        reason: Type.Union([Type.String(), Type.Null()]),
        message: Type.String(),
      }),
      { description: 'What a person still has to supply. Where there is a `reason`, activation is refused.' },
    ),
  }),
  limit: { body: MB, perMinute: 60, by: 'caller' },
  access: everyone(200),
});

export const activateBundle = defineRoute({
  method: 'POST',
  path: '/api/activate',
  summary: 'Activate a bundle in a workspace of this machine that its operator configured (BA-2)',
  tag,
  body: Type.Object(
    { manifest: Manifest, planDigest: Type.Optional(PlanDigest), workspace: Type.Optional(WorkspaceName) },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    bundleName: Type.String(),
    bundleId: Type.String(),
    version: Type.String(),
    workspace: Type.String({ description: 'The name of the workspace.' }),
    filesCreated: Type.Array(Type.String()),
    filesModified: Type.Array(Type.String()),
    entryRole: Type.String(),
    snapshotId: Type.Union([Type.String(), Type.Null()]),
    assertions: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    warnings: Type.Array(Finding),
  }),
  limit: { body: MB, perMinute: 20, by: 'caller' },
  access: adminOnly(200),
});

export const listWorkspaces = defineRoute({
  method: 'GET',
  path: '/api/workspaces',
  summary: 'The workspaces one may activate bundles in',
  tag,
  status: 200,
  reply: Type.Object({
    workspaces: Type.Array(
      Type.Object({
        name: Type.String(),
        bundles: Type.Array(Type.String()),
        installed: Type.Array(
          Type.Object({
            id: Type.String(),
            version: Type.String(),
            name: Type.String(),
            installedAt: Time,
            previous: Type.Union([Type.Object({ version: Type.String(), installedAt: Time }), Type.Null()], {
              description: 'The version that undoing the last activation brings back.',
            }),
          }),
        ),
      }),
    ),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

const installed = Type.Object({ workspace: WorkspaceName, bundle_id: KebabId }, closed);
/** `previous`: undo the last activation. `nothing`: remove the bundle. */
const UndoTo = Type.Enum(['previous', 'nothing'] as const);
const Kept = Type.Array(Type.Object({ path: Type.String(), reason: Type.String(), message: Type.String() }), {
  description: 'Files that a person changed since: they stay as they are (BA-5).',
});
const NullableVersion = Type.Union([Type.String(), Type.Null()]);

export const previewUndo = defineRoute({
  method: 'GET',
  path: '/api/workspaces/:workspace/bundles/:bundle_id/undo',
  summary: 'What undoing the last activation of a bundle, or removing it, would do (BA-5)',
  tag,
  params: installed,
  query: Type.Object({ to: Type.Optional(UndoTo) }, closed),
  status: 200,
  reply: Type.Object({
    bundleId: Type.String(),
    name: Type.String(),
    from: Type.String({ description: 'The version that is active now.' }),
    to: NullableVersion,
    files: Type.Array(Type.Object({ path: Type.String(), action: Type.Enum(['create', 'modify', 'remove'] as const) })),
    kept: Kept,
    manual: Type.Array(Type.Object({ path: Type.String(), remove: Type.Enum(['file', 'block'] as const) }), {
      description: 'What the bundle wants a person to remove by hand. It is only undone with `evenIfManual`.',
    }),
    planDigest: PlanDigest,
  }),
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: adminOnly(200),
});

export const undoBundle = defineRoute({
  method: 'POST',
  path: '/api/workspaces/:workspace/bundles/:bundle_id/undo',
  summary: 'Undo the last activation of a bundle, or remove it: exactly what was previewed, or nothing (BA-5)',
  tag,
  params: installed,
  body: Type.Object(
    {
      to: Type.Optional(UndoTo),
      planDigest: Type.Optional(PlanDigest),
      evenIfManual: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    bundleId: Type.String(),
    version: Type.Union([Type.String(), Type.Null()], { description: 'The version that is active now, if any.' }),
    filesRestored: Type.Array(Type.String()),
    filesRemoved: Type.Array(Type.String()),
    kept: Kept,
  }),
  limit: { body: KB, perMinute: 20, by: 'caller' },
  access: adminOnly(200),
});

const File = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 500 }),
    /** The bytes as base64. */
    data: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
    executable: Type.Optional(Type.Boolean()),
  },
  closed,
);
const Files = Type.Array(File, { maxItems: 500 });
const FileEntry = Type.Object({
  path: Type.String(),
  sha256: Type.String(),
  size: Type.Integer(),
  executable: Type.Boolean(),
});
const MirrorIndex = Type.Object({ version: Type.Literal(1), files: Type.Array(FileEntry) });

const Summary = Type.Object({
  id: Type.String(),
  version: Type.String(),
  name: Type.String(),
  summary: Type.String(),
  author: Type.Union([Type.String(), Type.Null()], { description: 'As the bundle says itself. Nobody checks it.' }),
  owner: Publisher,
  category: Type.Union([Type.String(), Type.Null()]),
  tags: Type.Array(Type.String()),
  risk: Risk,
  digest: Digest,
  updatedAt: Time,
});
const VersionSummary = Type.Object({
  version: Type.String(),
  digest: Digest,
  yanked: Type.Boolean(),
  createdAt: Time,
});
const one = Type.Object({ bundle_id: KebabId }, closed);
const oneVersion = Type.Object({ bundle_id: KebabId, version: Version }, closed);
/** `owner` has published it. */
const publishers = (status: number) => ({ ...anyPerson(403), owner: status }) satisfies Record<CallerKind, number>;

export const publishBundle = defineRoute({
  method: 'POST',
  path: '/bundles',
  summary: 'Publish a version of a bundle with the files of its kits. It never changes again',
  tag,
  body: Type.Object({ manifest: Manifest, kits: Type.Optional(Type.Record(KebabId, Files, closed)) }, closed),
  status: 201,
  reply: Type.Object({
    id: Type.String(),
    version: Type.String(),
    digest: Digest,
    changes: Type.Array(
      Type.Object({ code: Type.String(), path: Type.String(), consent: Type.String(), message: Type.String() }),
    ),
    warnings: Type.Array(Finding),
  }),
  limit: { body: MB, perMinute: 30, by: 'caller' },
  access: publishers(201),
});

export const searchBundles = defineRoute({
  method: 'GET',
  path: '/bundles',
  summary: 'Search published bundles: the best match first, among equals the newest',
  tag,
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 200 })),
      tag: Type.Optional(Text),
      category: Type.Optional(Text),
      mine: Type.Optional(Type.Literal('true')),
      cursor: Type.Optional(Type.String({ maxLength: 400 })),
      limit: Type.Optional(Limit),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ bundles: Type.Array(Summary), nextCursor: Type.Union([Type.String(), Type.Null()]) }),
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: everyone(200),
});

const Detail = Type.Object({
  manifest: Manifest,
  version: Type.String(),
  digest: Digest,
  owner: Publisher,
  yanked: Type.Boolean(),
  kits: Type.Record(Type.String(), MirrorIndex),
  versions: Type.Array(VersionSummary),
});

export const readBundle = defineRoute({
  method: 'GET',
  path: '/bundles/:bundle_id',
  summary: 'The newest version of a bundle that was not yanked',
  tag,
  params: one,
  status: 200,
  reply: Detail,
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: everyone(200),
});

export const readBundleVersion = defineRoute({
  method: 'GET',
  path: '/bundles/:bundle_id/versions/:version',
  summary: 'One version of a bundle, with the list of its kits’ files. The ETag is its digest',
  tag,
  params: oneVersion,
  status: 200,
  reply: Detail,
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: everyone(200),
});

export const yankBundleVersion = defineRoute({
  method: 'PUT',
  path: '/bundles/:bundle_id/versions/:version/yanked',
  summary: 'Take a version out of search, or back in. It stays readable for those who have locked it',
  tag,
  params: oneVersion,
  body: Type.Object({ yanked: Type.Boolean() }, closed),
  status: 200,
  reply: VersionSummary,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: publishers(200),
});

const Slug = Type.String({ maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' });
const ExactVersion = Type.String({ maxLength: 100, pattern: '^\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}([-+][0-9A-Za-z.+-]*)?$' });
const mirrored = Type.Object({ slug: Slug, version: ExactVersion }, closed);

export const putMirror = defineRoute({
  method: 'PUT',
  path: '/mirror/:slug/:version',
  summary: 'Put a kit into this host’s official mirror. What is there never changes',
  tag,
  params: mirrored,
  body: Type.Object({ files: Files }, closed),
  status: 201,
  reply: Type.Object({ slug: Type.String(), version: Type.String(), digest: Digest }),
  limit: { body: MB, perMinute: 30, by: 'caller' },
  access: adminOnly(201),
});

export const readMirrorIndex = defineRoute({
  method: 'GET',
  path: '/mirror/:slug/:version/index.json',
  summary: 'The files of a mirrored kit, for roleos-mirror://official (BA-6)',
  tag,
  params: mirrored,
  status: 200,
  reply: MirrorIndex,
  limit: { body: KB, perMinute: 600, by: 'address' },
  access: everyone(200),
});

const FilePath = Type.String({ minLength: 1, maxLength: 500 });
/** The bytes of a file. */
const Bytes = Type.Unknown();

export const readMirrorFile = defineRoute({
  method: 'GET',
  path: '/mirror/:slug/:version/files/*',
  summary: 'A file of a mirrored kit',
  tag,
  params: Type.Object({ slug: Slug, version: ExactVersion, '*': FilePath }, closed),
  status: 200,
  reply: Bytes,
  limit: { body: KB, perMinute: 6_000, by: 'address' },
  access: everyone(200),
});

export const readBundleFile = defineRoute({
  method: 'GET',
  path: '/bundles/:bundle_id/versions/:version/kits/:kit_id/files/*',
  summary: 'A file of a kit that came with a bundle',
  tag,
  params: Type.Object({ bundle_id: KebabId, version: Version, kit_id: KebabId, '*': FilePath }, closed),
  status: 200,
  reply: Bytes,
  limit: { body: KB, perMinute: 6_000, by: 'address' },
  access: everyone(200),
});

export const BUNDLE_ROUTES = [
  validateBundle,
  previewBundle,
  activateBundle,
  listWorkspaces,
  previewUndo,
  undoBundle,
  publishBundle,
  searchBundles,
  readBundle,
  readBundleVersion,
  yankBundleVersion,
  readBundleFile,
  putMirror,
  readMirrorIndex,
  readMirrorFile,
] as const;
