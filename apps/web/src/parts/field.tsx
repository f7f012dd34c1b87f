import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';

const BOX =
  'w-full rounded-lg border bg-surface px-3 py-2 text-ink placeholder:text-muted focus:border-accent aria-invalid:border-high pointer-coarse:min-h-11';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Hides the label from everyone but screen readers, if the context is clear. */
  readonly labelHidden?: boolean;
}

function useLabelled({ label, hint, error, labelHidden }: Labelled) {
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const wrap = (box: ReactNode) => (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {box}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-high">
          {error}
        </p>
      )}
    </div>
  );
  return { wrap, box: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': about || undefined } };
}

export function TextField({
  label,
  hint,
  error,
  labelHidden = false,
  className,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const { wrap, box } = useLabelled({ label, hint, error, labelHidden });
  return wrap(<input {...rest} {...box} className={classNames(BOX, className)} />);
}

export function TextArea({
  label,
  hint,
  error,
  labelHidden = false,
  className,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { wrap, box } = useLabelled({ label, hint, error, labelHidden });
  return wrap(<textarea {...rest} {...box} className={classNames(BOX, className)} />);
}
