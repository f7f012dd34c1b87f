import { displayText } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { useAction } from '../../parts/use-action.ts';
import { AgentFields, readFields } from './fields.tsx';

/** Creates an agent, shows its token and opens its page. */
export function CreateAgent({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['developer', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ agent_id: string; name: string; token: string }>();
  const create = useAction(async (form: HTMLFormElement) => {
    const reply = await api(agentRoutes.createAgent, { body: readFields(form) });
    setCreated(reply);
    await queries.invalidateQueries({ queryKey: ['own-agents'] });
  });
  if (created !== undefined)
    return (
      <OneTimeSecret
        title={t('tokenTitle', { name: displayText(created.name) })}
        label={t('tokenLabel')}
        secret={created.token}
        onClose={() => {
          onClose();
          void navigate({ to: '/developer/$agentId', params: { agentId: created.agent_id }, hash: 'manifest' });
        }}
      />
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.run(event.currentTarget);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('create')}
      lead={t('createLead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button variant="primary" type="submit" form="create-agent" busy={create.busy}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form id="create-agent" onSubmit={submit} className="grid gap-4">
        <AgentFields />
        {create.error !== undefined && <Notice tone="error">{explain(create.error)}</Notice>}
      </form>
    </Dialog>
  );
}
