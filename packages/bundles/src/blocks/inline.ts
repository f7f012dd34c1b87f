import { displayText } from '@parley/documents';

const MAX_LENGTH = 10_000;

/**
 * Text of a manifest inside a generated Markdown file: it is on one line, with nothing hidden and no HTML. Without `<`
 * there is no comment, so the text cannot end the block around it (BA-1, BA-3). Other punctuation stays: agents read
 * these files.
 */
export function inline(text: string): string {
  return displayText(text, MAX_LENGTH)
    .replaceAll('<', '&lt;')
    .replaceAll(/[`[\]]/g, '\\$&');
}
