import type { Kit } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import { field, list } from './role-text.ts';
import type { Words } from './words.ts';

/** What a kit can do and may do, for `TOOLS.md` and for kits that bring no description of their own. */
export function renderKit(kit: Kit, words: Words, folder: string | undefined): string {
  const { toolBinding, permissions = [] } = kit;
  const lines = [
    `### ${inline(kit.label)} (${kit.id})`,
    '',
    ...field(words.description, kit.description),
    ...field(words.risk, kit.riskLevel ?? 'medium'),
    ...field(words.runtime, kit.runtime),
    ...field(words.entryPoint, kit.entryPoint),
    ...field(words.binding, toolBinding?.type),
    ...field(words.dependsOn, kit.dependsOn?.join(', ')),
    ...field(words.folder, folder),
    ...list(words.capabilities, kit.capabilities),
    ...list(
      words.permissions,
      permissions.map(({ type, mode, target }) => `${type}:${mode} ${target}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
