import type { ChatMessage } from '@parley/client';
import { displayText } from '@parley/documents';
import { titleOf } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { shortTime } from '../../i18n/time.ts';
import { hashOf, keyOf } from './message-key.ts';

/** The messages on this device in which the words are. Each leads to its place in the conversation (WC-35). */
export function Results({ query }: { readonly query: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const wanted = useDeferredValue(query);
  const [found, setFound] = useState<readonly ChatMessage[]>([]);
  useEffect(() => {
    let current = true;
    void conversations.search(wanted, 50).then((messages) => current && setFound(messages));
    return () => {
      current = false;
    };
  }, [conversations, wanted]);
  const titles = new Map(useReadable(conversations.list).map((view) => [view.conversationId, view.title]));
  return (
    <div>
      <p role="status" className="px-3 py-1 text-sm text-muted">
        {t('found', { count: found.length })}
      </p>
      <ul>
        {found.map((message) => (
          <li key={`${message.conversationId}/${keyOf(message)}`}>
            <Link
              to="/c/$conversationId"
              params={{ conversationId: message.conversationId }}
              hash={hashOf(message)}
              className="block rounded-lg px-3 py-2 hover:bg-raised"
            >
              <span className="flex justify-between gap-2 text-sm font-medium">
                <bdi className="truncate">{titles.get(message.conversationId)}</bdi>
                <time dateTime={message.createdAt} className="text-xs text-muted">
                  {shortTime(message.createdAt)}
                </time>
              </span>
              <span className="line-clamp-2 text-sm text-muted">{displayText(titleOf(message.payload), 160)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
