import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { useTranslation } from 'react-i18next';
import { useBuiltInAgents } from '../../client/use-built-in-agents.ts';
import { Button } from '../../parts/button.tsx';
import { Asked, useAsk } from './ask.tsx';

/** Asks the owner of an agent, whose id nobody is shown (AC-7). */
export function AskOwner({ agentId }: { readonly agentId: string }) {
  const { t } = useTranslation('contacts');
  const asked = useAsk();
  const { agents: builtIn } = useBuiltInAgents();
  // The server is nobody whom one could ask.
  if (agentId === SYSTEM_AGENT_ID || builtIn?.some(({ agent_id: id }) => id === agentId)) return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Asked asked={asked} />
      {asked.done === undefined && (
        <Button size="small" variant="quiet" busy={asked.busy} onClick={() => asked.run({ agent_id: agentId })}>
          {t('askOwner')}
        </Button>
      )}
    </div>
  );
}
