import { displayValue } from '@parley/documents';
import type { Block, Card } from '@parley/protocol';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount } from '../../../i18n/amount.ts';

type Translate = TFunction<'cards'>;

/** Returns what describes a card in the person's language. */
export function useDescribeCard(): (card: Card) => readonly string[] {
  const { t } = useTranslation('cards');
  return useCallback((card) => describeCard(card, t), [t]);
}

/** The card as lines of text that people can compare. */
function describeCard({ title, progress, blocks }: Card, t: Translate): readonly string[] {
  const lines = [
    ...(title === undefined ? [] : [t('text.title', { text: title })]),
    ...(progress === undefined ? [] : [t('text.progress', { percent: Math.round(progress * 100) })]),
    ...blocks.flatMap((block) => describeBlock(block, t)),
  ];
  return lines.map((line) => displayValue(line, Number.POSITIVE_INFINITY).text);
}

function describeBlock(block: Block, t: Translate): readonly string[] {
  switch (block.tag) {
    case 'text':
    case 'code':
    case 'status':
      return block.text.split(/\r?\n/);
    case 'divider':
      return [t('text.divider')];
    case 'table':
      return [block.columns, ...block.rows].map((cells) => cells.join(' | '));
    case 'image':
      return [t('text.image', { label: `${block.alt} (${formatAmount(block.data.length, 'bytes')})` })];
    case 'action':
      return [t('text.action', { label: block.label })];
    case 'checkbox':
      return [t(block.value ? 'text.on' : 'text.off', { label: block.label ?? block.id })];
    case 'input': {
      const value = block.secret ? t('text.secret') : block.value || t('text.empty');
      return t('text.input', { label: block.label ?? block.id, value }).split(/\r?\n/);
    }
    case 'select': {
      const label = block.label ?? block.id;
      const chosen = block.options.find(({ value }) => value === block.value) ?? block.options[0];
      const offered = block.options.map((option) => option.label).join(', ');
      return [t('text.select', { label, value: chosen?.label }), t('text.options', { label, value: offered })];
    }
  }
}
