import type { Kit } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import { field, list } from './role-text.ts';
import type { ProjectionTexts } from './texts.ts';

/** Describes what a kit can do and may do, for `TOOLS.md` and for kits without a description of their own. */
export function renderKit(kit: Kit, texts: ProjectionTexts, folder: string | undefined): string {
  const { toolBinding, permissions = [] } = kit;
  const lines = [
    `### ${inline(kit.label)} (${kit.id})`,
    '',
    ...field(texts.description, kit.description),
    ...field(texts.risk, kit.riskLevel ?? 'medium'),
    ...field(texts.runtime, kit.runtime),
    ...field(texts.entryPoint, kit.entryPoint),
    ...field(texts.binding, toolBinding?.type),
    ...field(texts.dependsOn, kit.dependsOn?.join(', ')),
    ...field(texts.folder, folder),
    ...list(texts.capabilities, kit.capabilities),
    ...list(
      texts.permissions,
      permissions.map(({ type, mode, target }) => `${type}:${mode} ${target}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
