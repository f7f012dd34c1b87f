import type { RelationView } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Level } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/**
 * What the server says was granted, and no device in use has signed: by a plain call, in the old form, or by a device
 * that was removed (EE-19). The person confirms agent and scopes as they are shown.
 */
export function Sign({ relation }: { readonly relation: RelationView }) {
  const { t } = useTranslation('agents');
  const { relations } = useDevice();
  const { relationId, agentName, identity, manifestHash } = relation;
  const scopes = relation.scopes.filter((scope) => scope.unsigned || scope.granted);
  const sign = useAction(() =>
    relations.signPending(
      relationId,
      scopes.map(({ id }) => id),
      manifestHash,
    ),
  );
  return (
    <Card className="grid gap-4 border-medium/50">
      <div className="grid gap-1">
        <h2 className="text-lg font-semibold">{t('signTitle', { name: agentName })}</h2>
        <p className="text-sm text-muted">{t('signLead')}</p>
      </div>
      {scopes.length === 0 ? (
        <p className="text-sm">{t('signNothing')}</p>
      ) : (
        <ul className="divide-y rounded-lg border" aria-label={t('signScopes')}>
          {scopes.map(({ id, label, level, tools }) => (
            <li key={id} className="grid gap-1 px-3 py-2">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium">{label}</bdi>
                <Level level={level} />
              </p>
              {tools.length > 0 && <p className="font-mono text-xs break-words text-muted">{tools.join(', ')}</p>}
            </li>
          ))}
        </ul>
      )}
      {identity !== undefined && (
        <p className="text-sm">
          <span className="text-muted">{t('fingerprint')}</span>{' '}
          <code className="font-mono text-xs break-all">{identity.fingerprint}</code>
        </p>
      )}
      {sign.error !== undefined && <Notice tone="error">{explain(sign.error)}</Notice>}
      <div>
        <Button variant="primary" busy={sign.busy} disabled={manifestHash === null} onClick={() => sign.run()}>
          {t('sign')}
        </Button>
      </div>
    </Card>
  );
}
