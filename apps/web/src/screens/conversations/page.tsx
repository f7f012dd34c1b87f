import { Link, Outlet, useParams } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../parts/card.tsx';
import { classNames } from '../../parts/class-names.ts';
import { FirstSteps, useFirstSteps } from './first-steps/first-steps.tsx';
import { ConversationList } from './list.tsx';

/** Shows the list beside the open conversation; on a phone only one of them. */
export function ConversationsPage() {
  const { conversationId } = useParams({ strict: false });
  const isOpen = conversationId !== undefined;
  return (
    <div className="flex min-h-0 flex-1">
      <div className={classNames('w-full shrink-0 border-r bg-surface md:block md:w-80', isOpen && 'hidden')}>
        <ConversationList />
      </div>
      <div className={classNames('min-w-0 flex-1 md:block', !isOpen && 'hidden')}>
        <Outlet />
      </div>
    </div>
  );
}

export function NothingOpen() {
  const { t } = useTranslation('conversations');
  const { isShown, hide } = useFirstSteps();
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-8">
      {isShown ? (
        <FirstSteps on="wide" onHide={hide} />
      ) : (
        <Empty icon={<MessagesSquare aria-hidden className="size-10" />} title={t('choose')}>
          <Link to="/agents" className="text-accent underline">
            {t('addAgent')}
          </Link>
        </Empty>
      )}
    </div>
  );
}
