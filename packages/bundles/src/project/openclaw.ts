import { resolveBundleEntry } from '@parley/documents/bundle';
import { renderBlock } from '../blocks/block.ts';
import { inline } from '../blocks/inline.ts';
import { renderKit } from './kit-text.ts';
import type { ProjectedFile, Target } from './projection.ts';
import { field, renderRole } from './role-text.ts';
import { renderRoutes } from './routes-text.ts';
import { wordsOf } from './words.ts';

const THINKING = { none: 'off', normal: 'medium', deep: 'high' } as const;
const kitFolder = (kitId: string): string => `skills/${kitId}`;

/** A workspace that OpenClaw-style runtimes read (BA-4). Sub-agents see only `AGENTS.md` and `TOOLS.md`. */
export const openclaw: Target = {
  id: 'openclaw',
  thinking: THINKING,
  kitFolder,
  project({ bundle, locale }) {
    const words = wordsOf(locale);
    const kits = bundle.kits ?? [];
    const entry = bundle.roles.find(({ id }) => id === resolveBundleEntry(bundle).id) ?? bundle.roles[0]!;
    const heading = `## ${inline(bundle.name)} (${bundle.id} ${bundle.version})`;
    const parts: Record<string, readonly string[]> = {
      'AGENTS.md': [
        heading,
        '',
        ...field(words.entry, entry.id),
        '',
        ...bundle.roles.map((role) => renderRole(role, words, THINKING)),
      ],
      'SOUL.md': [
        heading,
        '',
        inline(bundle.summary),
        '',
        ...field(words.entry, entry.label),
        ...field(words.purpose, entry.purpose),
        ...field(words.description, entry.description),
      ],
      'TOOLS.md':
        kits.length === 0 ? [] : [heading, '', ...kits.map((kit) => renderKit(kit, words, kitFolder(kit.id)))],
      'USER.md': [heading, '', ...field(words.user, bundle.targetUser)],
      'IDENTITY.md': [
        heading,
        '',
        inline(bundle.summary),
        '',
        ...field(words.description, bundle.description),
        ...field(words.madeBy, bundle.author),
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
