import { resolveBundleEntry } from '@parley/documents/bundle';
import { renderBlock } from '../blocks/block.ts';
import { inline } from '../blocks/inline.ts';
import { renderKit } from './kit-text.ts';
import type { ProjectedFile, Target } from './projection.ts';
import { field, renderRole } from './role-text.ts';
import { renderRoutes } from './routes-text.ts';
import { textsOf } from './texts.ts';

const THINKING = { none: 'off', normal: 'medium', deep: 'high' } as const;
const kitFolder = (kitId: string): string => `skills/${kitId}`;

/** A workspace for OpenClaw-style runtimes (BA-4). Sub-agents see only `AGENTS.md` and `TOOLS.md`. */
export const openclaw: Target = {
  id: 'openclaw',
  thinking: THINKING,
  kitFolder,
  project({ bundle, locale }) {
    const texts = textsOf(locale);
    const kits = bundle.kits ?? [];
    const entry = bundle.roles.find(({ id }) => id === resolveBundleEntry(bundle).id) ?? bundle.roles[0]!;
    const heading = `## ${inline(bundle.name)} (${bundle.id} ${bundle.version})`;
    const parts: Record<string, readonly string[]> = {
      'AGENTS.md': [
        heading,
        '',
        ...field(texts.entry, entry.id),
        '',
        ...bundle.roles.map((role) => renderRole(role, texts, THINKING)),
      ],
      'SOUL.md': [
        heading,
        '',
        inline(bundle.summary),
        '',
        ...field(texts.entry, entry.label),
        ...field(texts.purpose, entry.purpose),
        ...field(texts.description, entry.description),
      ],
      'TOOLS.md':
        kits.length === 0 ? [] : [heading, '', ...kits.map((kit) => renderKit(kit, texts, kitFolder(kit.id)))],
      'USER.md': [heading, '', ...field(texts.user, bundle.targetUser)],
      'IDENTITY.md': [
        heading,
        '',
        inline(bundle.summary),
        '',
        ...field(texts.description, bundle.description),
        ...field(texts.madeBy, bundle.author),
      ],
      'ROLEOS.md': [heading, '', renderRoutes(bundle, locale)],
    };
    return Object.entries(parts)
      .filter(([, lines]) => lines.length > 0)
      .map(
        ([path, lines]): ProjectedFile => ({ kind: 'block', path, block: renderBlock(bundle.id, lines.join('\n')) }),
      );
  },
};
