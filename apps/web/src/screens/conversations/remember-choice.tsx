import type { Prompt, Remember } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

interface RememberChoiceProps {
  readonly prompt: Pick<Prompt, 'remember' | 'edge' | 'tool'>;
  readonly value: Remember;
  readonly onChange: (value: Remember) => void;
}

/** What a yes is remembered for (CG-15). The first choice is what the tool itself declares, the last the widest. */
export function RememberChoice({ prompt: { remember, edge, tool }, value, onChange }: RememberChoiceProps) {
  const { t } = useTranslation('conversations');
  const id = useId();
  const textOf = (choice: Remember) => (choice === 'edge' ? edge : t(`prompt.remember.${choice}`, { tool: tool.name }));
  return (
    <fieldset aria-describedby={`${id}-hint`} className="min-w-0">
      <legend className="mb-1.5 text-sm text-muted">{t('prompt.remember.legend')}</legend>
      <div className="divide-y overflow-hidden rounded-lg border">
        {remember.map((choice) => (
          <label
            key={choice}
            className="flex min-h-10 cursor-pointer items-center gap-3 px-3 py-2 text-sm has-checked:bg-accent-soft has-checked:font-medium pointer-coarse:min-h-11"
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
  );
}
