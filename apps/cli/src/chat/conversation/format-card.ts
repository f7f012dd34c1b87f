import type { Block, Card } from '@parley/protocol';
import { displayName, displaySentence } from '../../display.ts';
import { displayWidth } from '../../fit-text.ts';
import type { Words } from '../../messages/index.ts';
import type { Paint } from '../../paint.ts';
import { untrustedLines } from './quote-untrusted.ts';

const TONES = { info: 'cyan', success: 'green', warning: 'yellow', error: 'red' } as const;
const BAR_WIDTH = 24;
const MAX_CELL = 40;

/** Formats a card as lines (TC-10). Its fields are filled in by questions, one after the other. */
export function formatCard(card: Card, words: Words, paint: Paint): string[] {
  const lines = card.title === undefined ? [] : [paint('bold', displaySentence(card.title))];
  if (card.progress !== undefined) lines.push(formatProgress(card.progress));
  return [...lines, ...card.blocks.flatMap((block) => formatBlock(block, words, paint))];
}

function formatProgress(progress: number): string {
  const done = Math.round(progress * BAR_WIDTH);
  return `${'█'.repeat(done)}${'░'.repeat(BAR_WIDTH - done)} ${Math.round(progress * 100)} %`;
}

function formatBlock(block: Block, words: Words, paint: Paint): string[] {
  switch (block.tag) {
    case 'text':
      return untrustedLines(block.text);
    case 'status':
      return [paint(TONES[block.tone ?? 'info'], `● ${displaySentence(block.text)}`)];
    case 'divider':
      return ['────────'];
    case 'code':
      return untrustedLines(block.text).map((line) => paint('cyan', `  ${line}`));
    case 'table':
      return formatTable(block.columns, block.rows, paint);
    case 'image':
      return [words.say('chat.image', { name: displaySentence(block.alt) })];
    case 'action':
      return [`[ ${displaySentence(block.label)} ]`];
    case 'input':
      return [field(block, block.secret ? '' : (block.value ?? ''), words)];
    case 'select': {
      const chosen = block.options.find(({ value }) => value === block.value)?.label;
      const options = block.options.map(({ label }) => displayName(label)).join(' / ');
      return [field(block, chosen === undefined ? options : chosen, words)];
    }
    case 'checkbox':
      return [`[${block.value ? 'x' : ' '}] ${labelOf(block)}`];
  }
}

export function labelOf({ id, label }: { readonly id: string; readonly label?: string }): string {
  return displaySentence(label ?? id);
}

function field(block: { id: string; label?: string; required?: boolean }, value: string, words: Words): string {
  const must = block.required ? ` ${words.say('chat.card.required')}` : '';
  return `${labelOf(block)}${must}: ${displaySentence(value) || '…'}`;
}

function formatTable(columns: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  const cells = [columns, ...rows].map((row) =>
    columns.map((_, at) => displayName(row[at] ?? '').slice(0, MAX_CELL) || '–'),
  );
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => displayWidth(row[at]!))));
  const pad = (cell: string, at: number) => cell + ' '.repeat(widths[at]! - displayWidth(cell));
  const lines = cells.map((row) => row.map(pad).join('  ').trimEnd());
  return [paint('bold', lines[0]!), ...lines.slice(1)];
}
