import { fillText } from '@parley/base';
import type { ConsentPreview, PreviewScope, PreviewTool } from './preview.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';

type PreviewTexts = (typeof PREVIEW_TEXTS)['en'];

/**
 * Renders the consent screen as plain text. It is indented, never padded into columns: the width of a character on the
 * screen does not follow from its length.
 */
export function renderPreview(preview: ConsentPreview): string {
  const texts = PREVIEW_TEXTS[preview.locale];
  const lines = [headline(preview, texts)];
  for (const group of preview.groups) {
    lines.push('', fillText(texts.level, { level: group.label, behaviour: group.behaviour }));
    for (const scope of group.scopes) lines.push('', ...renderScope(scope, texts).map((line) => `  ${line}`));
  }
  if (preview.flags.length > 0) lines.push('', texts.flagsTitle, ...preview.flags.map(({ text }) => `  - ${text}`));
  return `${lines.join('\n')}\n`;
}

function headline(preview: ConsentPreview, texts: PreviewTexts): string {
  const count = preview.groups.reduce((sum, group) => sum + group.scopes.length, 0);
  const text = count === 0 ? texts.headlineNone : count === 1 ? texts.headlineOne : texts.headline;
  return fillText(text, { version: preview.agentVersion, count });
}

function renderScope(scope: PreviewScope, texts: PreviewTexts): string[] {
  const { label, id, description, warnings, tools } = scope;
  const lines = [fillText(scope.required ? texts.scopeRequired : texts.scope, { label, id })];
  if (description !== undefined) lines.push(`  ${description}`);
  for (const warning of warnings) lines.push(`  ! ${warning}`);
  for (const tool of tools) lines.push(...renderTool(tool, texts).map((line) => `  ${line}`));
  return lines;
}

function renderTool(tool: PreviewTool, texts: PreviewTexts): string[] {
  const { name, description, parameters, acceptsMore } = tool;
  const lines = [`- ${fillText(tool.required ? texts.toolRequired : texts.tool, { name, description })}`];
  for (const parameter of parameters) {
    const text = parameter.required ? texts.parameterRequired : texts.parameter;
    lines.push(`    ${fillText(text, { name: parameter.name, type: parameter.type })}`);
  }
  if (acceptsMore) lines.push(`    ${texts.anyMore}`);
  else if (parameters.length === 0) lines.push(`    ${texts.noParameters}`);
  return lines;
}
