import type { ChatMessage } from '@parley/client';
import { displayText } from '@parley/documents';
import type { Block, Card } from '@parley/protocol';
import { type FormEvent, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import { useAction } from '../../parts/use-action.ts';
import { toBlob } from './attachment.ts';
import { Picture } from './picture.tsx';

const Text = lazy(async () => ({ default: (await import('../../parts/markdown.tsx')).Text }));

/** Shows an artifact (TC-10) as a card with what the agent says and asks for. */
export function CardView({ message, card }: { readonly message: ChatMessage; readonly card: Card }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const answer = useAction((action: string, values: Record<string, string | boolean>) =>
    conversations.answerCard(message.conversationId, card.artifact_id, { action, values }),
  );
  const done = message.answer !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    answer.run(submitter?.getAttribute('value') ?? 'submit', readValues(event.currentTarget, card.blocks));
  };
  const asks = card.blocks.some(({ tag }) => tag === 'input' || tag === 'select' || tag === 'checkbox');
  const actions = card.blocks.filter((block) => block.tag === 'action');
  const chosen = actions.find(({ id }) => id === message.answer?.action);
  return (
    <form
      onSubmit={submit}
      className="grid w-full max-w-[min(42rem,92%)] gap-3 rounded-2xl border bg-surface px-4 py-4 shadow-card"
    >
      {card.title !== undefined && <h3 className="font-semibold">{displayText(card.title)}</h3>}
      {card.progress !== undefined && <Progress value={card.progress} />}
      {card.blocks.map(
        (block, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names of their own
          block.tag !== 'action' && <BlockView key={index} block={block} disabled={done || answer.busy} />,
      )}
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <Button
              key={action.id}
              type="submit"
              value={action.id}
              variant={LOOKS[action.style ?? 'plain']}
              disabled={done || answer.busy}
            >
              {displayText(action.label, 80)}
            </Button>
          ))}
        </div>
      )}
      {asks && actions.length === 0 && (
        <Button type="submit" variant="primary" disabled={done} busy={answer.busy}>
          {t('submit')}
        </Button>
      )}
      {answer.error !== undefined && <Notice tone="error">{explain(answer.error)}</Notice>}
      <p className="flex flex-wrap gap-x-4 text-sm text-muted empty:hidden">
        {done && <span>{chosen ? t('answeredWith', { label: displayText(chosen.label, 80) }) : t('answered')}</span>}
        {(card.revision ?? 1) > 1 && <span>{t('revision', { count: card.revision ?? 1 })}</span>}
      </p>
    </form>
  );
}

function readValues(form: HTMLFormElement, blocks: readonly Block[]): Record<string, string | boolean> {
  const data = new FormData(form);
  const values: Record<string, string | boolean> = {};
  for (const block of blocks) {
    if (block.tag === 'checkbox') values[block.id] = data.has(block.id);
    else if (block.tag === 'input' || block.tag === 'select') values[block.id] = String(data.get(block.id) ?? '');
  }
  return values;
}

function Progress({ value }: { readonly value: number }) {
  const { t } = useTranslation('conversations');
  const percent = Math.round(value * 100);
  return (
    <div>
      <progress
        value={percent}
        max={100}
        aria-label={t('progress', { percent })}
        className="h-2 w-full accent-accent"
      />
      <p className="text-sm text-muted">{t('progress', { percent })}</p>
    </div>
  );
}

const TONES = { info: 'info', success: 'success', warning: 'warning', error: 'error' } as const;
const LOOKS = { primary: 'primary', danger: 'danger', plain: 'plain' } as const;

function BlockView({ block, disabled }: { readonly block: Block; readonly disabled: boolean }) {
  switch (block.tag) {
    case 'text':
      return (
        <Suspense fallback={<p className="whitespace-pre-wrap">{block.text}</p>}>
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
          {block.text}
        </ScrollArea>
      );
    case 'image':
      return <Picture blob={toBlob(block.data, block.mime_type)} alt={displayText(block.alt)} />;
    case 'table':
      return <Table columns={block.columns} rows={block.rows} />;
    case 'action':
      return null;
    case 'checkbox':
      return (
        <label className="flex min-h-8 items-center gap-2">
          <input
            type="checkbox"
            name={block.id}
            defaultChecked={block.value ?? false}
            disabled={disabled}
            className="size-4 accent-accent"
          />
          {displayText(block.label ?? block.id)}
        </label>
      );
    case 'select':
      return (
        <label className="grid gap-1.5 text-sm font-medium">
          {displayText(block.label ?? block.id)}
          <select
            name={block.id}
            defaultValue={block.value}
            disabled={disabled}
            className="min-h-10 rounded-lg border bg-surface px-3"
          >
            {block.options.map(({ value, label }) => (
              <option key={value} value={value}>
                {displayText(label)}
              </option>
            ))}
          </select>
        </label>
      );
    case 'input':
      return <Input block={block} disabled={disabled} />;
  }
}

function Input({ block, disabled }: { readonly block: Extract<Block, { tag: 'input' }>; readonly disabled: boolean }) {
  const common = {
    label: displayText(block.label ?? block.id),
    name: block.id,
    defaultValue: block.value,
    placeholder: block.placeholder === undefined ? undefined : displayText(block.placeholder),
    required: block.required ?? false,
    disabled,
  };
  if (block.multiline) return <TextArea {...common} rows={8} className="font-mono text-sm" />;
  return <TextField {...common} type={block.secret ? 'password' : 'text'} autoComplete="off" />;
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
