import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ChooseMembers, type Invited } from './choose-members.tsx';
import { makePersonLink, readPersonLink } from './person-link.ts';

/** Starts a conversation with a person, or a group. One with an agent starts when the agent is added. */
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

function WithPerson({ onOpened }: Opened) {
  const { t } = useTranslation('conversations');
  const { accountId, conversations } = useDevice();
  const [isWrong, setWrong] = useState(false);
  const start = useAction(async (id: string) => onOpened(await conversations.startWithPerson(id)));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = readPersonLink(String(new FormData(event.currentTarget).get('person')));
    setWrong(id === undefined || id === accountId);
    if (id !== undefined && id !== accountId) start.run(id);
  };
  return (
    <div className="grid gap-6">
      <form onSubmit={submit} className="grid gap-3">
        <TextField
          label={t('person')}
          hint={t('personHint')}
          error={isWrong ? t('personWrong') : undefined}
          name="person"
          required
          autoComplete="off"
        />
        {start.error !== undefined && <Notice tone="error">{explain(start.error)}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={start.busy}>
            {t('begin')}
          </Button>
        </div>
      </form>
      <section className="grid gap-2">
        <h3 className="text-sm font-semibold">{t('yourLink')}</h3>
        <p className="text-sm text-muted">{t('yourLinkLead')}</p>
        <div className="flex flex-wrap items-center gap-4">
          <QrCode text={makePersonLink(accountId)} label={t('yourQr')} />
          <CopyButton text={makePersonLink(accountId)} label={t('copyLink')} />
        </div>
      </section>
    </div>
  );
}

function Group({ onOpened }: Opened) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const [members, setMembers] = useState<readonly Invited[]>([]);
  const [title, setTitle] = useState('');
  const create = useAction(async () => onOpened(await conversations.startGroup(title.trim(), members)));
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
