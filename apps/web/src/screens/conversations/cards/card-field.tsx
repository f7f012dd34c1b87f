import { displayText } from '@parley/documents';
import { TextArea, TextField } from '../../../parts/field.tsx';
import { Select } from '../../../parts/select.tsx';
import { type Field, type FieldValue, isSecret } from './card-draft.ts';

interface CardFieldProps {
  readonly field: Field;
  readonly value: FieldValue;
  readonly disabled: boolean;
  readonly onChange: (value: FieldValue) => void;
}

/** In the form, whose own functions an agent's names would hide: after a field `appendChild` nothing can be added to it. */
export const nameOf = ({ id }: Field): string => `field/${id}`;

/** A part of a card that a person fills in. */
export function CardField({ field, value, disabled, onChange }: CardFieldProps) {
  const label = displayText(field.label ?? field.id);
  switch (field.tag) {
    case 'checkbox':
      return (
        <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            name={nameOf(field)}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
            disabled={disabled}
            className="size-4 accent-accent"
          />
          {label}
        </label>
      );
    case 'select':
      return (
        <Select
          label={label}
          name={nameOf(field)}
          value={String(value)}
          options={field.options.map((option) => ({ value: option.value, label: displayText(option.label) }))}
          disabled={disabled}
          onChange={onChange}
        />
      );
    case 'input': {
      const common = {
        label,
        name: nameOf(field),
        placeholder: field.placeholder === undefined ? undefined : displayText(field.placeholder),
        required: field.required ?? false,
        disabled,
      };
      // A secret is nowhere but in the box itself, from where it is sent.
      if (isSecret(field)) return <TextField {...common} type="password" autoComplete="off" />;
      const held = { value: String(value), onChange: onTyped(onChange) };
      if (field.multiline) return <TextArea {...common} {...held} rows={8} className="font-mono text-sm" />;
      return <TextField {...common} {...held} type="text" autoComplete="off" />;
    }
  }
}

const onTyped =
  (onChange: (value: string) => void) =>
  ({ target }: { readonly target: { readonly value: string } }) =>
    onChange(target.value);
