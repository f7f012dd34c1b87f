import { displayText } from '@parley/documents';
import { hasDefault, type SkillInput } from '@parley/documents/skill';
import { useTranslation } from 'react-i18next';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { choicesOf, type FieldProblem, kindOf, writeField } from './form.ts';

interface InputFieldProps {
  readonly field: SkillInput;
  readonly value: string | undefined;
  readonly problem: FieldProblem | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const LONG_TEXT = 200;

/** Asks for one input according to its type. Its name and description are untrusted. */
export function InputField({ field, value = '', problem, onChange }: InputFieldProps) {
  const { t } = useTranslation('skills');
  const kind = kindOf(field);
  const suggestion = hasDefault(field) ? displayText(writeField(field, field.default!), 80) : undefined;
  const label = field.required
    ? t('requiredLabel', { name: displayText(field.name, 80) })
    : displayText(field.name, 80);
  const about = displayText(field.description, 300);
  const left = field.required ? '' : suggestion === undefined ? t('left') : t('leftDefault');
  const hint = [about, kind === 'json' ? t('json') : '', left].filter(Boolean).join(' · ');
  const error = problem && t(problem.code, { message: problem.message ?? '' });
  if (kind === 'choice' || kind === 'yes-no' || kind === 'null') {
    const choices =
      kind === 'choice'
        ? choicesOf(field)!.map((one) => ({
            value: JSON.stringify(one),
            label: displayText(typeof one === 'string' ? one : JSON.stringify(one), 80),
          }))
        : kind === 'null'
          ? [{ value: 'null', label: t('nullOnly') }]
          : [
              { value: 'true', label: t('yes') },
              { value: 'false', label: t('no') },
            ];
    return (
      <div className="grid gap-1.5">
        <Select
          label={label}
          value={value}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
          options={[{ value: '', label: t('empty') }, ...choices]}
        />
        {hint && <p className="text-sm break-words text-muted">{hint}</p>}
        {error && (
          <p role="alert" className="text-sm text-high">
            {error}
          </p>
        )}
      </div>
    );
  }
  const common = {
    label,
    hint,
    error,
    value,
    autoComplete: 'off',
    placeholder: suggestion ?? '',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value === '' ? undefined : target.value),
  };
  if (kind === 'number') return <TextField {...common} inputMode={field.type === 'integer' ? 'numeric' : 'decimal'} />;
  const limit = field.schema?.maxLength;
  if (kind === 'text' && typeof limit === 'number' && limit <= LONG_TEXT) return <TextField {...common} />;
  return <TextArea {...common} rows={kind === 'json' ? 4 : 3} className={kind === 'json' ? 'font-mono text-sm' : ''} />;
}
