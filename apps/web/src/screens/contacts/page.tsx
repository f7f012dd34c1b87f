import type { Contact, OutgoingRequest } from '@parley/client';
import { formatContactCode } from '@parley/protocol';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { shortTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';
import { AskByCode } from './ask.tsx';
import { BlockButton } from './block.tsx';
import { Blocked } from './blocked.tsx';
import { nameOf } from './name.ts';
import { OwnCode } from './own-code.tsx';
import { Requests } from './requests.tsx';
import { useFreshContacts } from './use-contacts.ts';

/** Requests, contacts and one's own code (AC-4, AC-7). */
export function ContactsPage() {
  const { t } = useTranslation('contacts');
  const { outgoing } = useFreshContacts();
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} />
      <div className="grid gap-6">
        <Requests />
        <Card className="grid gap-6">
          <section className="grid gap-3">
            <h2 className="font-semibold">{t('add')}</h2>
            <AskByCode />
          </section>
          <OwnCode canReplace />
        </Card>
        <ContactList />
        {outgoing.length > 0 && <Outgoing requests={outgoing} />}
        <Blocked />
      </div>
    </Page>
  );
}

function ContactList() {
  const { t } = useTranslation('contacts');
  const { contacts, loaded } = useReadable(useDevice().contacts);
  return (
    <Card flush>
      <div className="px-5 py-4">
        <h2 className="font-semibold">{t('list')}</h2>
        {loaded && contacts.length === 0 && <p className="text-sm text-muted">{t('none')}</p>}
      </div>
      <ul className="divide-y border-t empty:hidden">
        {contacts.map((contact) => (
          <ContactRow key={contact.user_id} contact={contact} />
        ))}
      </ul>
    </Card>
  );
}

function ContactRow({ contact }: { readonly contact: Contact }) {
  const { t } = useTranslation('contacts');
  const { conversations } = useDevice();
  const navigate = useNavigate();
  const name = nameOf(contact, t('unnamed'));
  const write = useAction(async () => {
    const conversationId = await conversations.startWithPerson(contact.user_id);
    await navigate({ to: '/c/$conversationId', params: { conversationId } });
  });
  return (
    <li className="flex flex-wrap items-center gap-3 px-5 py-3">
      <p className="min-w-0 flex-1 basis-48 truncate">
        <bdi>{name}</bdi>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={write.busy} aria-label={t('writeLabel', { name })} onClick={() => write.run()}>
          {t('write')}
        </Button>
        <BlockButton accountId={contact.user_id} name={name} />
      </div>
      {write.error !== undefined && <Notice tone="error">{explain(write.error)}</Notice>}
    </li>
  );
}

function Outgoing({ requests }: { readonly requests: readonly OutgoingRequest[] }) {
  const { t } = useTranslation('contacts');
  const describe = ({ code, agent_id }: OutgoingRequest) => {
    if (code !== undefined) return t('byCode', { code: formatContactCode(code) });
    return t(agent_id === undefined ? 'byGroup' : 'byAgent');
  };
  return (
    <Card flush>
      <div className="px-5 py-4">
        <h2 className="font-semibold">{t('outgoing')}</h2>
        <p className="text-sm text-muted">{t('outgoingLead')}</p>
      </div>
      <ul className="divide-y border-t">
        {requests.map((request) => (
          <li key={request.request_id} className="flex justify-between gap-3 px-5 py-2 text-sm">
            <span>{describe(request)}</span>
            <time dateTime={request.created_at} className="text-muted">
              {shortTime(request.created_at)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  );
}
