import { isParleyError } from '@parley/base';
import type { RelationView } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { sentenceSpace } from '../../i18n/index.ts';
import { offerUndo } from '../../parts/undo.ts';

type Scope = Pick<RelationView['scopes'][number], 'id' | 'label'>;

/** Grants and takes back a permission at once, one by one, and offers to undo it (WC-50). */
export function useSwitches(relation: RelationView) {
  const { t } = useTranslation('agents');
  const { relations } = useDevice();
  const { relationId, agentName: agent } = relation;
  /** What is being switched, and to what. */
  const [busy, setBusy] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [failure, setFailure] = useState<unknown>();

  const isGranted = (id: string) =>
    relations
      .getSnapshot()
      .find((one) => one.relationId === relationId)
      ?.scopes.some((scope) => scope.id === id && scope.granted) === true;

  function describeOff(what: { readonly scope: string; readonly agent: string }, untold: unknown): string {
    if (untold === undefined) return t('switching.off', what);
    if (isParleyError(untold, 'UNREACHABLE')) return t('switching.offHere', what);
    return `${t('switching.offUntold', what)}${sentenceSpace()}${explain(untold)}`;
  }

  const run = async (scope: Scope, to: boolean, work: () => Promise<void>): Promise<void> => {
    setBusy((all) => new Map(all).set(scope.id, to));
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy((all) => new Map([...all].filter(([id]) => id !== scope.id)));
    }
  };

  const takeBack = (scope: Scope, manifestHash: string | null) =>
    run(scope, false, async () => {
      const untold = await relations.revokeScope(relationId, scope.id).then(
        () => undefined,
        (error: unknown) => {
          // It counts here all the same, and the server is told later.
          if (isGranted(scope.id)) throw error;
          return error;
        },
      );
      const hash = manifestHash ?? relation.manifestHash;
      const level = relation.scopes.find(({ id }) => id === scope.id)?.level;
      offerUndo({
        subject: `${relationId} ${scope.id}`,
        text: describeOff({ scope: scope.label, agent }, untold),
        undo: hash === null ? undefined : () => relations.grantScope(relationId, scope.id, hash),
        // What was allowed for 24 hours has ended with it, on all devices (CG-6).
        undone: level === 'medium' ? t('switching.backOn', { agent }) : undefined,
      });
    });

  const grant = (scope: Scope, manifestHash: string) =>
    run(scope, true, async () => {
      await relations.grantScope(relationId, scope.id, manifestHash);
      offerUndo({
        subject: `${relationId} ${scope.id}`,
        text: t('switching.on', { scope: scope.label, agent }),
        undo: () => relations.revokeScope(relationId, scope.id),
      });
    });

  return { busy, failure, grant, takeBack };
}
