import { renderBlock } from '../blocks/block.ts';
import { inline } from '../blocks/inline.ts';
import type { ProjectedFile, Target } from './projection.ts';
import { field, renderRole } from './role-text.ts';
import { renderRoutes } from './routes-text.ts';
import { textsOf } from './texts.ts';

/** A folder for no particular runtime: one file per role, one folder per kit. */
export const plain: Target = {
  id: 'plain',
  thinking: null,
  kitFolder: (kitId) => `kits/${kitId}`,
  project({ bundle, locale }) {
    const texts = textsOf(locale);
    const about = [
      `## ${inline(bundle.name)} (${bundle.id} ${bundle.version})`,
      '',
      inline(bundle.summary),
      '',
      ...field(texts.description, bundle.description),
      ...field(texts.user, bundle.targetUser),
      ...field(texts.madeBy, bundle.author),
      '',
      renderRoutes(bundle, locale),
    ];
    const roles = bundle.roles.map(
      (role): ProjectedFile => ({
        kind: 'own',
        path: `roles/${role.id}.md`,
        bytes: Buffer.from(renderRole(role, texts, null)),
        mode: 0o644,
      }),
    );
    return [...roles, { kind: 'block', path: 'ROLEOS.md', block: renderBlock(bundle.id, about.join('\n')) }];
  },
};
