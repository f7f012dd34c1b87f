import { displayText } from '@parley/documents';
import type { AuthParameter, SkillAuth } from '@parley/documents/skill';
import type { BodyOf, skillRoutes } from '@parley/protocol';
import { useTranslation } from 'react-i18next';
import { TextArea, TextField } from '../../parts/field.tsx';

/** The credentials as typed. They exist only in the form, not in the address or in any store. */
export interface Given {
  readonly secret?: string;
  readonly headers?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

type Credentials = NonNullable<BodyOf<typeof skillRoutes.invokeSkill>['credentials']>;

export function readCredentials(
  auth: SkillAuth,
  { secret, headers, parameters }: Given,
): Credentials | 'wrong' | undefined {
  if (auth.type === 'api_key' && secret) return { api_key: secret };
  if (auth.type === 'oauth2' && secret) return { access_token: secret };
  if (auth.type !== 'custom') return undefined;
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== '');
  if (given.length > 0) return { parameters: Object.fromEntries(given) };
  if (!headers?.trim()) return undefined;
  return readHeaders(headers) ?? 'wrong';
}

function readHeaders(text: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const isText = Object.values(value).every((one) => typeof one === 'string');
    return isText ? { headers: value as Record<string, string> } : undefined;
  } catch {
    return undefined;
  }
}

/** Lists the parameters that get a field; credentials are never sent in an address (SI-2). */
function listFields({ custom }: SkillAuth): readonly AuthParameter[] | undefined {
  const parameters = custom?.parameters;
  return Array.isArray(parameters) ? parameters.filter((parameter) => parameter.in !== 'query') : undefined;
}

interface CredentialFieldsProps {
  readonly auth: SkillAuth;
  readonly host: string;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

export function CredentialFields({ auth, host, given, onChange }: CredentialFieldsProps) {
  const { t } = useTranslation('skills');
  const hint = t('trySecret', { host });
  const fields = listFields(auth);
  if (auth.type === 'custom' && fields !== undefined)
    return fields.map(({ name, in: place, required, description }) => (
      <TextField
        key={name}
        type="password"
        label={t(`parameterIn.${place}`, { name: displayText(name, 60) })}
        hint={[t(required ? 'required' : 'optional'), displayText(description ?? '', 400), hint]
          .filter(Boolean)
          .join(' · ')}
        value={given.parameters?.[name] ?? ''}
        onChange={({ target }) => onChange({ parameters: { ...given.parameters, [name]: target.value } })}
        autoComplete="new-password"
        spellCheck={false}
      />
    ));
  if (auth.type === 'custom')
    return (
      <TextArea
        label={t('customHeaders')}
        hint={hint}
        error={
          readCredentials(auth, given) === 'wrong' ? t('jsonWrong', { message: '{ "X-Signature": "…" }' }) : undefined
        }
        value={given.headers ?? ''}
        onChange={({ target }) => onChange({ headers: target.value })}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
      />
    );
  return (
    <TextField
      type="password"
      label={auth.type === 'api_key' ? t('apiKey', { header: displayText(auth.header ?? '', 60) }) : t('accessToken')}
      hint={hint}
      value={given.secret ?? ''}
      onChange={({ target }) => onChange({ secret: target.value })}
      // A password manager must not offer a password of this site for another one.
      autoComplete="new-password"
      spellCheck={false}
    />
  );
}
