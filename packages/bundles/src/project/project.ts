import { canonicalise, type Json } from '@parley/documents';
import type { Bundle, Kit } from '@parley/documents/bundle';
import { bundleFolder } from '../files/layout.ts';
import type { KitFile } from '../kits/kit-file.ts';
import { renderLock } from '../kits/lock-file.ts';
import { listMcpServers } from './mcp-servers.ts';
import type { Missing } from './missing.ts';
import { openclaw } from './openclaw.ts';
import { plain } from './plain.ts';
import type { ProjectedFile, ProjectionInput, Target, WorkspaceProjection } from './projection.ts';
import { renderSkillFile } from './skill-file.ts';
import { textsOf } from './texts.ts';

export const TARGETS = { openclaw, plain } as const satisfies Record<string, Target>;
export type TargetId = keyof typeof TARGETS;

/** Computes the files that a bundle puts into a workspace. Pure. */
export function project(input: ProjectionInput, targetId: TargetId): WorkspaceProjection {
  const target: Target = TARGETS[targetId];
  const { bundle, kitFiles } = input;
  const home = bundleFolder(bundle.id);
  const { servers, missing } = listMcpServers(bundle);
  const files = [
    ...target.project(input),
    ...(bundle.kits ?? []).flatMap((kit) => projectKit(kit, target, input)),
    text(`${home}/manifest.json`, `${canonicalise(bundle as unknown as Json)}\n`),
    text(`${home}/lock.json`, renderLock(bundle, kitFiles)),
    ...(Object.keys(servers).length > 0
      ? [text(`${home}/mcp.json`, `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`)]
      : []),
  ];
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return { files, missing: [...missing, ...findMissingContent(bundle, input)] };
}

function projectKit(kit: Kit, target: Target, { kitFiles, locale }: ProjectionInput): ProjectedFile[] {
  const folder = target.kitFolder(kit.id);
  const files = kitFiles.get(kit.id) ?? [];
  const own = files.map(
    ({ path, bytes, executable = false }): ProjectedFile => ({
      kind: 'own',
      path: `${folder}/${path}`,
      bytes,
      mode: executable ? 0o755 : 0o644,
    }),
  );
  return hasSkillFile(files) ? own : [...own, text(`${folder}/SKILL.md`, renderSkillFile(kit, textsOf(locale)))];
}

const hasSkillFile = (files: readonly KitFile[]): boolean => files.some(({ path }) => path === 'SKILL.md');

function findMissingContent({ kits = [] }: Bundle, { kitFiles }: ProjectionInput): Missing[] {
  return kits.flatMap((kit): Missing[] => {
    const files = kitFiles.get(kit.id);
    if (kit.mirror !== undefined && files === undefined)
      return [{ code: 'KIT_CONTENT_MISSING', kit: kit.id, detail: kit.mirror.source ?? kit.mirror.digest }];
    const { entryPoint } = kit;
    if (entryPoint === undefined || files?.some(({ path }) => path === entryPoint)) return [];
    return [{ code: 'ENTRY_POINT_MISSING', kit: kit.id, detail: entryPoint }];
  });
}

const text = (path: string, content: string): ProjectedFile => ({
  kind: 'own',
  path,
  bytes: Buffer.from(content),
  mode: 0o644,
});
