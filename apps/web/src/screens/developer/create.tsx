import { agentRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { showSecret } from '../../client/new-secrets.ts';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useAction } from '../../parts/use-action.ts';
import { AgentFields, readFields, trimFields, writeFields } from './fields.tsx';

const EMPTY = writeFields({ name: '', description: '', visibility: 'public' });

/** Creates an agent, shows its token and opens its page. */
export function CreateAgent({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['developer', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const draft = useDocumentDraft('manifest/new', EMPTY);
  const fields = readFields(draft.text);
  const create = useAction(async () => {
    const [sent, body] = [draft.text, trimFields(fields)];
    const { agent_id: agentId, name: agentName, token } = await api(agentRoutes.createAgent, { body });
    draft.settle(sent);
    const onSaved = () => void navigate({ to: '/developer/$agentId', params: { agentId }, hash: 'manifest' });
    showSecret({ kind: 'agent_token', agentId, agentName, secret: token, onSaved });
    onClose();
    await queries.invalidateQueries({ queryKey: ['own-agents'] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.run();
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
      <Unsaved draft={draft} />
      <form id="create-agent" onSubmit={submit} className="grid gap-4">
        <AgentFields fields={fields} onChange={(next) => draft.change(writeFields(next))} />
        {create.error !== undefined && <Notice tone="error">{explain(create.error)}</Notice>}
      </form>
    </Dialog>
  );
}
