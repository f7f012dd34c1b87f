import type { Prompt, Remember } from '@parley/client';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';

interface RememberChoiceProps {
  readonly prompt: Pick<Prompt, 'remember' | 'edge' | 'tool'>;
  readonly value: Remember;
  readonly onChange: (value: Remember) => void;
}

/** What the 24 hours cover (CG-15): first what the tool itself declares; what is narrower or wider can be unfolded. */
export function RememberChoice({ prompt: { remember, edge, tool }, value, onChange }: RememberChoiceProps) {
  const { t } = useTranslation('conversations');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const textOf = (choice: Remember) =>
    choice === 'values'
      ? t('prompt.remember.values')
      : choice === 'edge'
        ? edge
        : t('prompt.remember.tool', { tool: tool.name });
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-center gap-x-1.5 text-sm">
        <span className="text-muted">{t('prompt.remember.covers')}</span>
        <bdi className="min-w-0 font-medium wrap-anywhere">{textOf(value)}</bdi>
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-choices` : undefined}
          icon={<ChevronDown aria-hidden className={classNames('size-4 transition', isOpen && 'rotate-180')} />}
          onClick={() => setOpen(!isOpen)}
          className="px-2 text-accent"
        >
          {t('prompt.remember.change')}
        </Button>
      </p>
      {isOpen && (
        <fieldset id={`${id}-choices`} aria-describedby={`${id}-hint`} className="min-w-0">
          <legend className="sr-only">{t('prompt.remember.legend')}</legend>
          <div className="divide-y overflow-hidden rounded-lg border">
            {remember
              .filter((choice) => choice !== 'once')
              .map((choice) => (
                <label
                  key={choice}
                  className="flex min-h-9 cursor-pointer items-center gap-3 px-3 py-1.5 text-sm has-checked:bg-accent-soft has-checked:font-medium pointer-coarse:min-h-11"
                >
                  <input
                    type="radio"
                    name={id}
                    checked={choice === value}
                    onChange={() => onChange(choice)}
                    className="size-4 shrink-0 accent-accent"
                  />
                  <bdi className="min-w-0 wrap-anywhere">{textOf(choice)}</bdi>
                </label>
              ))}
          </div>
          <p id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
            {t('prompt.remember.hint')}
          </p>
        </fieldset>
      )}
    </div>
  );
}
