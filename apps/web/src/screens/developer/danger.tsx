import { displayText } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { OwnAgent } from './own-agent.ts';

/** Suspends or deletes the agent. */
export function Danger({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const [asking, ask] = useState<'suspend' | 'resume' | 'delete'>();
  const name = displayText(agent.name);
  const params = { agent_id: agent.agent_id };
  const close = () => ask(undefined);
  const turn = async (route: typeof agentRoutes.suspendAgent | typeof agentRoutes.resumeAgent) => {
    await api(route, { params });
    await queries.invalidateQueries({ queryKey: ['own-agent', agent.agent_id] });
    await queries.invalidateQueries({ queryKey: ['own-agents'] });
  };
  return (
    <Card className="grid gap-3">
      <h2 className="font-semibold">{t('danger')}</h2>
      <div className="flex flex-wrap gap-2">
        {agent.status === 'active' && <Button onClick={() => ask('suspend')}>{t('suspend')}</Button>}
        {agent.status === 'suspended' && <Button onClick={() => ask('resume')}>{t('resume')}</Button>}
        <Button variant="danger" onClick={() => ask('delete')}>
          {t('delete')}
        </Button>
      </div>
      {asking === 'suspend' && (
        <ConfirmAction
          title={t('suspendTitle', { name })}
          lead={t('suspendLead')}
          confirm={t('suspend')}
          danger
          onClose={close}
          work={() => turn(agentRoutes.suspendAgent)}
        />
      )}
      {asking === 'resume' && (
        <ConfirmAction
          title={t('resumeTitle', { name })}
          lead={t('resumeLead')}
          confirm={t('resume')}
          onClose={close}
          work={() => turn(agentRoutes.resumeAgent)}
        />
      )}
      {asking === 'delete' && <Delete agent={agent} onClose={close} />}
    </Card>
  );
}

/** Deleting is final, so the person must type the name. */
function Delete({ agent, onClose }: { readonly agent: OwnAgent; readonly onClose: () => void }) {
  const { t } = useTranslation(['developer', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const remove = useAction(async () => {
    await api(agentRoutes.deleteAgent, { params: { agent_id: agent.agent_id } });
    await queries.invalidateQueries({ queryKey: ['own-agents'] });
    await navigate({ to: '/developer' });
  });
  const name = displayText(agent.name);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('deleteTitle', { name })}
      lead={t('deleteLead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button variant="danger" busy={remove.busy} disabled={typed.trim() !== name} onClick={() => remove.run()}>
            {t('delete')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <TextField
          label={t('deleteName')}
          hint={<bdi>{name}</bdi>}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {remove.error !== undefined && <Notice tone="error">{explain(remove.error)}</Notice>}
      </div>
    </Dialog>
  );
}
