import { displayText } from '@parley/documents';

const MAX_LENGTH = 10_000;

/**
 * Text of a manifest inside a generated Markdown file: on one line, nothing hidden, no HTML. Without `<` there is no
 * comment, so it cannot end the block it stands in (BA-1, BA-3). Other punctuation stays: agents read these files.
 */
export function inline(text: string): string {
  return displayText(text, MAX_LENGTH)
    .replaceAll('<', '&lt;')
    .replaceAll(/[`[\]]/g, '\\$&');
}
