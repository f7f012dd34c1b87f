import { useTranslation } from 'react-i18next';
import { TextArea, TextField } from '../../parts/field.tsx';

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly visibility: 'public' | 'private';
}

interface AgentFieldsProps {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}

/** Edits the fields of an agent besides its manifest. */
export function AgentFields({ fields, onChange }: AgentFieldsProps) {
  const { t } = useTranslation('developer');
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        required
        maxLength={64}
        autoComplete="off"
        value={fields.name}
        onChange={({ target }) => onChange({ ...fields, name: target.value })}
      />
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        rows={3}
        maxLength={2_000}
        value={fields.description}
        onChange={({ target }) => onChange({ ...fields, description: target.value })}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t('visibility')}</legend>
        {(['public', 'private'] as const).map((value) => (
          <label key={value} className="flex min-h-6 items-center gap-2 text-sm">
            <input
              type="radio"
              name="visibility"
              value={value}
              checked={fields.visibility === value}
              onChange={() => onChange({ ...fields, visibility: value })}
              className="size-4 accent-accent"
            />
            {t(value)}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** As a draft keeps them. */
export const writeFields = ({ name, description, visibility }: Fields): string =>
  JSON.stringify({ name, description, visibility });

export function readFields(text: string): Fields {
  const { name, description, visibility } = JSON.parse(text) as Partial<Fields>;
  return {
    name: String(name ?? ''),
    description: String(description ?? ''),
    visibility: visibility === 'private' ? 'private' : 'public',
  };
}

/** As the server gets them. */
export const trimFields = ({ name, description, visibility }: Fields): Fields => ({
  name: name.trim(),
  description: description.trim(),
  visibility,
});
