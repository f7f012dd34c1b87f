import { useTranslation } from 'react-i18next';
import { TextArea, TextField } from '../../parts/field.tsx';

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly visibility: 'public' | 'private';
}

/** Edits the fields of an agent besides its manifest. */
export function AgentFields({ given }: { readonly given?: Fields }) {
  const { t } = useTranslation('developer');
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        name="name"
        required
        maxLength={64}
        autoComplete="off"
        defaultValue={given?.name}
      />
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        name="description"
        rows={3}
        maxLength={2_000}
        defaultValue={given?.description}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t('visibility')}</legend>
        {(['public', 'private'] as const).map((value) => (
          <label key={value} className="flex min-h-6 items-center gap-2 text-sm">
            <input
              type="radio"
              name="visibility"
              value={value}
              defaultChecked={(given?.visibility ?? 'public') === value}
              className="size-4 accent-accent"
            />
            {t(value)}
          </label>
        ))}
      </fieldset>
    </>
  );
}

export function readFields(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  return {
    name: String(data.get('name')).trim(),
    description: String(data.get('description')).trim(),
    visibility: data.get('visibility') === 'private' ? 'private' : 'public',
  };
}
