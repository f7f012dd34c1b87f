import type { RelationView } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../client/provider.tsx';
import { offerUndo } from './undo.ts';

/** Removes an agent. Without a connection it counts here all the same, and the server is told later (WC-50). */
export function useEnd() {
  const { t } = useTranslation('agents');
  const { relations } = useDevice();
  return async ({ relationId, agentName: name }: RelationView): Promise<void> => {
    try {
      await relations.end(relationId);
    } catch (error) {
      const now = relations.getSnapshot().find((one) => one.relationId === relationId);
      if (now?.status !== 'ended') throw error;
      offerUndo({ subject: relationId, text: t('gone.removedHere', { name }) });
    }
  };
}
