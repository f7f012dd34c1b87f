import { renderBlock } from '../blocks/block.ts';
import { inline } from '../blocks/inline.ts';
import type { ProjectedFile, Target } from './projection.ts';
import { field, renderRole } from './role-text.ts';
import { renderRoutes } from './routes-text.ts';
import { wordsOf } from './words.ts';

/** A folder that no runtime has an opinion about: one file a role, one folder a kit. */
export const plain: Target = {
  id: 'plain',
  thinking: null,
  kitFolder: (kitId) => `kits/${kitId}`,
  project({ bundle, locale }) {
    const words = wordsOf(locale);
    const about = [
      `## ${inline(bundle.name)} (${bundle.id} ${bundle.version})`,
      '',
      inline(bundle.summary),
      '',
      ...field(words.description, bundle.description),
      ...field(words.user, bundle.targetUser),
      ...field(words.madeBy, bundle.author),
      '',
      renderRoutes(bundle, locale),
    ];
    const roles = bundle.roles.map(
      (role): ProjectedFile => ({
        kind: 'own',
        path: `roles/${role.id}.md`,
        bytes: Buffer.from(renderRole(role, words, null)),
        mode: 0o644,
      }),
    );
    return [...roles, { kind: 'block', path: 'ROLEOS.md', block: renderBlock(bundle.id, about.join('\n')) }];
  },
};
