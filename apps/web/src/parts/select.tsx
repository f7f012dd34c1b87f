import { type SelectHTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

export function Select({ label, labelHidden = false, options, onChange, className, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={classNames('grid gap-1.5', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-10 w-full rounded-lg border bg-surface px-3 text-ink pointer-coarse:min-h-11"
      >
        {options.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
