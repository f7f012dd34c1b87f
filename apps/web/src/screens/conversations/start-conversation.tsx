import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { useDraft } from '../../client/use-draft.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAction } from '../../parts/use-action.ts';
import { AskByCode } from '../contacts/ask.tsx';
import { nameOf as contactName } from '../contacts/name.ts';
import { OwnCode } from '../contacts/own-code.tsx';
import { useFreshContacts } from '../contacts/use-contacts.ts';
import { ChooseMembers, type Invited } from './choose-members.tsx';

/** Starts a conversation with a contact, or a group. One with an agent starts when the agent is added. */
export function StartConversation() {
  const { t } = useTranslation('conversations');
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState('person');
  const navigate = useNavigate();
  const opened = async (conversationId: string) => {
    setOpen(false);
    await navigate({ to: '/c/$conversationId', params: { conversationId } });
  };
  return (
    <>
      <IconButton label={t('start')} onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-5" />
      </IconButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('start')}>
        <Tabs
          label={t('start')}
          chosen={kind}
          onChoose={setKind}
          tabs={[
            { id: 'person', label: t('withPerson'), content: <WithPerson onOpened={opened} /> },
            { id: 'group', label: t('newGroup'), content: <Group onOpened={opened} /> },
          ]}
        />
      </Dialog>
    </>
  );
}

type Opened = { readonly onOpened: (conversationId: string) => Promise<void> };

/** Chooses a contact, or asks someone to become one (AC-4). */
function WithPerson({ onOpened }: Opened) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const { contacts: known } = useFreshContacts();
  const start = useAction(async (id: string) => onOpened(await conversations.startWithPerson(id)));
  return (
    <div className="grid gap-6">
      {known.length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-sm font-semibold">{t('yourContacts')}</h3>
          <ul className="grid max-h-60 gap-1 overflow-y-auto">
            {known.map((contact) => (
              <li key={contact.user_id}>
                <Button
                  variant="quiet"
                  className="w-full justify-start"
                  disabled={start.busy}
                  onClick={() => start.run(contact.user_id)}
                >
                  <bdi className="truncate">{contactName(contact, t('untitled'))}</bdi>
                </Button>
              </li>
            ))}
          </ul>
          {start.error !== undefined && <Notice tone="error">{explain(start.error)}</Notice>}
        </section>
      )}
      <section className="grid gap-2">
        <h3 className="text-sm font-semibold">{t('newContact')}</h3>
        <AskByCode />
      </section>
      <OwnCode />
    </div>
  );
}

function Group({ onOpened }: Opened) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const [members, setMembers] = useState<readonly Invited[]>([]);
  const [title, setTitle, settle] = useDraft('form/group');
  const create = useAction(async () => {
    const conversationId = await conversations.startGroup(title.trim(), members);
    settle(title);
    await onOpened(conversationId);
  });
  return (
    <div className="grid gap-4">
      <TextField
        label={t('groupName')}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
        maxLength={200}
        required
        autoComplete="off"
      />
      <ChooseMembers chosen={members} onChange={setMembers} />
      <Notice>{t('noTools')}</Notice>
      {create.error !== undefined && <Notice tone="error">{explain(create.error)}</Notice>}
      <div>
        <Button variant="primary" disabled={title.trim() === ''} busy={create.busy} onClick={() => create.run()}>
          {t('create')}
        </Button>
      </div>
    </div>
  );
}
