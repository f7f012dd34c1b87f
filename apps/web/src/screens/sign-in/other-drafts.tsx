import { OTHER_DRAFTS } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../client/provider.tsx';
import { TypedBar } from './typed-before.tsx';
import { TypedTexts, useChangesOf } from './typed-texts.tsx';

/** What could not be joined with what another tab has written since (WC-2). */
export function OtherDrafts() {
  const { t } = useTranslation('signIn');
  const { drafts, conversations } = useDevice();
  useChangesOf(drafts);
  const others = drafts.list().filter(({ key }) => key.startsWith(OTHER_DRAFTS));
  if (others.length === 0) return null;
  const texts = others.map(({ key, text }) => ({ key: key.slice(OTHER_DRAFTS.length), text }));
  return (
    <TypedBar title={t('typed.other')} lead={t('typed.otherLead')} onDrop={() => drafts.remove(OTHER_DRAFTS)}>
      <TypedTexts texts={texts} conversations={conversations.list} />
    </TypedBar>
  );
}
