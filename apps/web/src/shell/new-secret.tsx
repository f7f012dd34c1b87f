import { displayText } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { dropSecret, newSecrets } from '../client/new-secrets.ts';
import { useReadable } from '../client/provider.tsx';
import { OneTimeSecret } from '../parts/one-time-secret.tsx';

/** Shows a secret that was made here or for Hashee (SA-2). Only the person sees it; it is not sent to anyone. */
export function NewSecretDialog() {
  const { t } = useTranslation('shell');
  const [first] = useReadable(newSecrets);
  if (first === undefined) return null;
  const { kind, agentName, secret } = first;
  return (
    <OneTimeSecret
      key={secret}
      title={t(`newSecret.${kind}`, { name: displayText(agentName) })}
      label={t(`newSecret.label.${kind}`)}
      secret={secret}
      onSaved={() => dropSecret(first)}
    />
  );
}
