import type { ConversationView } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useBuiltInAgents } from '../../../client/use-built-in-agents.ts';
import { ThingsToTry } from './things-to-try.tsx';

/** An empty conversation. The demo agent's has what to say first. */
export function NothingSaid({ view }: { readonly view: ConversationView | undefined }) {
  const { t } = useTranslation('conversations');
  return (
    <div className="grid flex-1 content-center justify-items-center gap-4 overflow-y-auto p-4 text-muted">
      <p>{t('noMessages')}</p>
      {view?.agentId !== undefined && <Ideas agentId={view.agentId} />}
    </div>
  );
}

function Ideas({ agentId }: { readonly agentId: string }) {
  const { demo } = useBuiltInAgents();
  if (demo?.agent_id !== agentId) return null;
  return (
    <div className="w-full max-w-md text-ink">
      <ThingsToTry agent={demo} />
    </div>
  );
}
