import type { AgentSummary } from '@parley/client';
import { useNavigate } from '@tanstack/react-router';
import { Globe, MapPin, MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseFirstMessage } from '../../../client/first-message.ts';
import { useNotificationPermission } from '../../../client/notification-permission.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { useBrowserPermission } from '../../../client/use-browser-permission.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { AskNotifications } from '../../settings/ask-notifications.tsx';

type Name = 'web' | 'notification' | 'location' | 'abilities' | 'otherPage';

interface Idea {
  readonly name: Name;
  readonly scope?: string;
  readonly icon: ReactNode;
}

const ICON = 'mt-0.5 size-4 shrink-0 text-accent';
const WEB: Idea = { name: 'web', scope: 'network:http', icon: <Globe aria-hidden className={ICON} /> };
const NOTIFICATION: Idea = {
  name: 'notification',
  scope: 'notification:send',
  icon: <MessageCircle aria-hidden className={ICON} />,
};
const LOCATION: Idea = { name: 'location', scope: 'location:read', icon: <MapPin aria-hidden className={ICON} /> };
const ABILITIES: Idea = { name: 'abilities', icon: <MessageCircle aria-hidden className={ICON} /> };
const OTHER_PAGE: Idea = { ...WEB, name: 'otherPage' };

/** Three things that work in this browser: one of each level, or another in the place of what it does not let pages do. */
function useIdeas(): readonly Idea[] {
  const notifications = useNotificationPermission();
  const location = useBrowserPermission('geolocation');
  const notifies = notifications !== undefined && notifications !== 'denied';
  const locates = 'geolocation' in navigator && location !== 'denied';
  return [WEB, ...(notifies ? [NOTIFICATION] : []), ...(locates ? [LOCATION] : []), ABILITIES, OTHER_PAGE].slice(0, 3);
}

/** Three things to say to the demo agent. Each leads through the consent that it needs (WC-43). */
export function ThingsToTry({ agent }: { readonly agent: AgentSummary }) {
  const { t } = useTranslation(['conversations', 'settings']);
  const { conversations, relations } = useDevice();
  const navigate = useNavigate();
  const permission = useNotificationPermission();
  const [isAsking, ask] = useState(false);
  const relation = useReadable(relations).find(
    ({ agentId, status }) => agentId === agent.agent_id && status !== 'ended',
  );
  const ideas = useIdeas();

  const say = async ({ name, scope }: Idea) => {
    const text = t(`first.try.${name}`);
    const { agent_id: agentId } = agent;
    const isGranted = scope === undefined || relation?.scopes.some(({ id, granted }) => id === scope && granted);
    if (relation === undefined || !isGranted) {
      chooseFirstMessage({ agentId, text, scope });
      return navigate({ to: '/agents/$agentId', params: { agentId } });
    }
    // One that cannot be sent stays in the conversation, with a button to send it again.
    void conversations.sendText(relation.conversationId, text).catch(() => {});
    return navigate({ to: '/c/$conversationId', params: { conversationId: relation.conversationId } });
  };
  const choose = (idea: Idea) => {
    // A browser that was not asked shows none, whatever the agent may do.
    if (idea === NOTIFICATION && permission !== 'granted') ask(true);
    else void say(idea);
  };

  return (
    <>
      <ul className="grid gap-2 text-start">
        {ideas.map((idea) => (
          <li key={idea.name}>
            <button
              type="button"
              onClick={() => choose(idea)}
              className="flex min-h-11 w-full items-start gap-3 rounded-lg border bg-surface px-3 py-2 text-start hover:border-accent"
            >
              {idea.icon}
              <span className="grid min-w-0 gap-0.5">
                <span className="font-medium break-words">
                  {t('first.said', { text: t(`first.try.${idea.name}`) })}
                </span>
                <span className="text-sm text-muted">{t(`first.tryLead.${idea.name}`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isAsking && (
        <Dialog open onClose={() => ask(false)} title={t('settings:notifications.title')}>
          <p className="text-sm">{t('first.notificationFirst', { name: agent.name })}</p>
          <AskNotifications
            onGranted={() => {
              ask(false);
              void say(NOTIFICATION);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
