import type { RelationView, ScopeView } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../../client/provider.tsx';
import { Button } from '../../../parts/button.tsx';
import { ConfirmAction } from '../../../parts/confirm-action.tsx';
import { FetchNote } from '../../../parts/fetch-note.tsx';
import { Level } from '../../../parts/level.tsx';

interface GiveProps {
  readonly relation: RelationView;
  readonly scope: string;
}

/** As it was when the question appeared: what is on the screen must not change by itself, and is what is signed. */
interface Shown {
  readonly scope: ScopeView;
  readonly manifestHash: string;
}

/** Gives one permission, after the person has read what it is. */
export function Give({ relation, scope: id }: GiveProps) {
  const { t } = useTranslation('calls');
  const [asked, ask] = useState<Shown>();
  const scope = relation.scopes.find((one) => one.id === id);
  const { manifestHash } = relation;
  // Without a manifest nothing can be signed, and nobody could read what it is.
  if (scope === undefined || manifestHash === null) return null;
  return (
    <>
      <Button size="small" variant="primary" onClick={() => ask({ scope, manifestHash })}>
        {t('mend.grant')}
      </Button>
      {asked !== undefined && <Confirmed relation={relation} {...asked} onClose={() => ask(undefined)} />}
    </>
  );
}

interface ConfirmedProps extends Shown {
  readonly relation: RelationView;
  readonly onClose: () => void;
}

function Confirmed({ relation, scope, manifestHash, onClose }: ConfirmedProps) {
  const { t } = useTranslation('calls');
  const { relations } = useDevice();
  const { relationId, agentName: name } = relation;
  return (
    <ConfirmAction
      title={t('mend.grantTitle', { name })}
      lead={t(`mend.grantNote.${scope.level}`, { name })}
      confirm={t('mend.grant')}
      alarm={scope.level === 'high'}
      onClose={onClose}
      work={() => relations.grantScope(relationId, scope.id, manifestHash)}
    >
      <div className="grid gap-1 rounded-lg border px-4 py-3">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{scope.label}</bdi> <Level level={scope.level} />
        </p>
        {scope.description !== undefined && (
          <p className="text-sm text-muted">
            <bdi>{scope.description}</bdi>
          </p>
        )}
        <FetchNote scope={scope.id} />
      </div>
    </ConfirmAction>
  );
}
