import { displayLines, displayText } from '@parley/documents';
import type { Block } from '@parley/protocol';
import { lazy, Suspense } from 'react';
import { Notice } from '../../../parts/notice.tsx';
import { ScrollArea } from '../../../parts/scroll-area.tsx';
import { toBlob } from '../attachment.ts';
import { Picture } from '../picture.tsx';
import type { Field } from './card-draft.ts';

const Text = lazy(async () => ({ default: (await import('../../../parts/markdown.tsx')).Text }));
const TONES = { info: 'info', success: 'success', warning: 'warning', error: 'error' } as const;

/** Shows a part of a card that only says something. */
export function BlockView({ block }: { readonly block: Exclude<Block, Field> }) {
  switch (block.tag) {
    case 'text':
      return (
        <Suspense fallback={<p className="whitespace-pre-wrap">{displayLines(block.text)}</p>}>
          <Text>{block.text}</Text>
        </Suspense>
      );
    case 'divider':
      return <hr />;
    case 'status':
      return <Notice tone={TONES[block.tone ?? 'info']}>{displayText(block.text, 1_000)}</Notice>;
    case 'code':
      return (
        <ScrollArea as="pre" className="max-h-96 overflow-auto rounded-lg bg-raised p-3 font-mono text-xs" dir="ltr">
          {displayLines(block.text)}
        </ScrollArea>
      );
    case 'image':
      // A revision may have another picture in the place of this one.
      return <Picture key={block.data} blob={toBlob(block.data, block.mime_type)} alt={displayText(block.alt)} />;
    case 'table':
      return <Table columns={block.columns} rows={block.rows} />;
    case 'action':
      return null;
  }
}

function Table({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <ScrollArea as="div" className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b text-left">
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name
              <th key={index} className="px-2 py-1.5 font-semibold">
                {displayText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
            <tr key={index} className="border-b last:border-0">
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: by column
                <td key={at} className="px-2 py-1.5 align-top break-words">
                  <bdi>{displayText(cell, 400)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
