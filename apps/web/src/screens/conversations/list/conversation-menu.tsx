import type { ConversationView } from '@parley/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Ban, Bell, BellOff, Ellipsis, LogOut, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { IconButton } from '../../../parts/button.tsx';
import { classNames } from '../../../parts/class-names.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useAction } from '../../../parts/use-action.ts';
import { useAgent } from '../use-agent.ts';
import { useDetail } from '../use-detail.ts';
import { showArchived } from './archived-bar.tsx';
import { BlockPerson, DeleteConversation, LeaveGroup, RemoveAgent } from './confirmations.tsx';

const HOUR_MS = 60 * 60_000;
const DIALOGS = { block: BlockPerson, remove: RemoveAgent, leave: LeaveGroup, delete: DeleteConversation } as const;
type Asking = keyof typeof DIALOGS;

interface ConversationMenuProps {
  readonly view: ConversationView;
  readonly className?: string;
}

/** What a person may do with a conversation, in its row and in its header. */
export function ConversationMenu({ view, className }: ConversationMenuProps) {
  const { t } = useTranslation('conversations');
  const { conversationId: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const [asking, ask] = useState<Asking>();
  const next = useRef<Asking>(undefined);
  const change = useAction((work: () => Promise<void>) => work());
  const Asked = asking && DIALOGS[asking];
  const label = t('manage.menu', { title: view.title || t('untitled') });
  return (
    <>
      {/* A modal menu writes a style element, which the page's policy forbids. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <IconButton label={label} className={classNames('shrink-0', className)}>
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            // A dialog opens when the button has the focus again, so that it gets it back.
            onCloseAutoFocus={() => {
              ask(next.current);
              next.current = undefined;
            }}
            className="z-40 min-w-56 rounded-xl border bg-surface p-1 shadow-float"
          >
            <Items
              view={view}
              onAsk={(what) => {
                next.current = what;
              }}
              onChange={change.run}
            />
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {Asked !== undefined && (
        <Asked
          view={view}
          onClose={() => ask(undefined)}
          onGone={async () => {
            if (open === view.conversationId) await navigate({ to: '/' });
          }}
        />
      )}
      {change.error !== undefined && <Failed error={change.error} />}
    </>
  );
}

interface ItemsProps {
  readonly view: ConversationView;
  readonly onAsk: (what: Asking) => void;
  readonly onChange: (work: () => Promise<void>) => void;
}

function Items({ view, onAsk, onChange }: ItemsProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const navigate = useNavigate();
  const { conversationId: open } = useParams({ strict: false });
  const { conversationId: id, kind, archived, mutedUntil } = view;
  const agent = useAgent(id);
  const isBlocked = useIsBlocked(view);
  const archive = async () => {
    await conversations.archive(id);
    showArchived(view);
    if (open === id) await navigate({ to: '/' });
  };
  return (
    <>
      {archived ? (
        <Item Icon={ArchiveRestore} onSelect={() => onChange(() => conversations.unarchive(id))}>
          {t('manage.unarchive')}
        </Item>
      ) : (
        <Item Icon={Archive} onSelect={() => onChange(archive)}>
          {t('manage.archive')}
        </Item>
      )}
      {mutedUntil === undefined ? (
        <>
          {([1, 8] as const).map((hours) => (
            <Item
              key={hours}
              Icon={BellOff}
              onSelect={() => onChange(() => conversations.mute(id, new Date(Date.now() + hours * HOUR_MS)))}
            >
              {t('manage.mute', { count: hours })}
            </Item>
          ))}
          <Item Icon={BellOff} onSelect={() => onChange(() => conversations.mute(id, 'always'))}>
            {t('manage.muteAlways')}
          </Item>
        </>
      ) : (
        <Item Icon={Bell} onSelect={() => onChange(() => conversations.unmute(id))}>
          {t('manage.unmute')}
        </Item>
      )}
      <DropdownMenu.Separator className="my-1 border-t" />
      {kind === 'h2h' && (
        <Item Icon={Ban} onSelect={() => onAsk('block')}>
          {t(isBlocked ? 'manage.unblock' : 'manage.block')}
        </Item>
      )}
      {agent !== undefined && agent.status !== 'ended' && (
        <Item Icon={Ban} onSelect={() => onAsk('remove')}>
          {t('manage.removeAgent')}
        </Item>
      )}
      {kind === 'group' && (
        <Item Icon={LogOut} onSelect={() => onAsk('leave')}>
          {t('leave')}
        </Item>
      )}
      <Item Icon={Trash2} onSelect={() => onAsk('delete')}>
        {t('manage.delete')}
      </Item>
    </>
  );
}

function useIsBlocked({ conversationId, kind }: ConversationView): boolean {
  const { contacts } = useDevice();
  const { blocked } = useReadable(contacts);
  const { data } = useDetail(conversationId, kind === 'h2h');
  return data?.members.some(({ id }) => blocked.some(({ user_id }) => user_id === id)) === true;
}

interface ItemProps {
  readonly Icon: ComponentType<{ className?: string }>;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ Icon, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className="flex min-h-9 cursor-default items-center gap-3 rounded-lg px-3 py-1.5 text-sm outline-none data-highlighted:bg-raised pointer-coarse:min-h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      {children}
    </DropdownMenu.Item>
  );
}

function Failed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('conversations');
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('manage.failed')}>
      <Notice tone="error">{explain(error)}</Notice>
    </Dialog>
  );
}
