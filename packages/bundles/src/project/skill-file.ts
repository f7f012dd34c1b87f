import { displayText } from '@parley/documents';
import type { Kit } from '@parley/documents/bundle';
import { renderKit } from './kit-text.ts';
import type { ProjectionTexts } from './texts.ts';

const MAX_DESCRIPTION = 1_000;

/** Renders a `SKILL.md` for a kit that has none. Every JSON string is also a YAML string. */
export function renderSkillFile(kit: Kit, texts: ProjectionTexts): string {
  const description = displayText(kit.description ?? kit.capabilities.join('; '), MAX_DESCRIPTION);
  return [
    '---',
    `name: ${JSON.stringify(kit.id)}`,
    `description: ${JSON.stringify(description)}`,
    '---',
    '',
    renderKit(kit, texts, undefined),
  ].join('\n');
}
