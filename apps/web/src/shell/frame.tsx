import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router';
import {
  Blocks,
  Bot,
  Code,
  Contact,
  Ellipsis,
  MessagesSquare,
  ScrollText,
  Settings,
  ShieldCheck,
  Wrench,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../parts/class-names.ts';
import { UndoBar } from '../parts/undo-bar.tsx';

import { ConnectionBar } from './connection-bar.tsx';
import { ContactsBadge } from './contacts-badge.tsx';
import { ForkBar } from './fork-bar.tsx';
import { RecoveryBar } from './recovery-bar.tsx';
import { UpdateBar } from './update-bar.tsx';
import { useMessageNotifications } from './use-message-notifications.ts';
import { useUnreadTitle } from './use-unread-title.ts';

const PLACES = [
  { to: '/', name: 'conversations', Icon: MessagesSquare },
  { to: '/agents', name: 'agents', Icon: Bot },
  { to: '/permissions', name: 'permissions', Icon: ShieldCheck },
  { to: '/audit', name: 'audit', Icon: ScrollText },
  { to: '/contacts', name: 'contacts', Icon: Contact },
  { to: '/developer', name: 'developer', Icon: Code },
  { to: '/bundles', name: 'bundles', Icon: Blocks },
  { to: '/skills', name: 'skills', Icon: Wrench },
  { to: '/settings', name: 'settings', Icon: Settings },
] as const satisfies readonly { to: string; name: string; Icon: ComponentType<{ className?: string }> }[];

/** On a phone the bottom bar has room for four entries; the others are under "More". */
const FIRST = 4;

/**
 * Conversations fill the window and scroll inside; every other page is as long as it is. `--dock` is the height of a
 * question at the bottom of the window (WC-16), which covers the bar of a phone. There the frame is a column, in which
 * only an item that does not flex has the height that it says.
 */
const FILLED =
  'flex-none h-[calc(100dvh-var(--dock,0px))] pb-[max(0px,calc(3.5rem+1px+env(safe-area-inset-bottom)-var(--dock,0px)))]';

/** Shows the navigation and the open page, below what has to be said on every page. */
export function Frame({ bars }: { readonly bars: ReactNode }) {
  const { t } = useTranslation('shell');
  // Not by the address, which changes before the page does: its conversation would become as long as all its messages.
  const isFilled = useMatch({ from: '/framed/conversations', shouldThrow: false }) !== undefined;
  useUnreadTitle();
  useMessageNotifications();
  return (
    <div className="flex min-h-[calc(100dvh-var(--dock,0px))] flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-lg focus:bg-surface focus:p-3"
      >
        {t('skip')}
      </a>
      <SideBar />
      <div className={classNames('flex min-w-0 flex-col md:flex-1 md:pb-0', isFilled ? FILLED : 'flex-1 pb-16')}>
        <UpdateBar />
        <ConnectionBar />
        <ForkBar />
        <RecoveryBar />
        {bars}
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
      <UndoBar />
      <BottomBar />
    </div>
  );
}

/** Returns whether this entry or a page below it is open. A conversation counts as a page below the list. */
function useIsHere(): (to: string) => boolean {
  const { pathname } = useLocation();
  return (to) => (to === '/' ? pathname === '/' || pathname.startsWith('/c/') : pathname.startsWith(to));
}

function SideBar() {
  const { t } = useTranslation('shell');
  const isHere = useIsHere();
  return (
    <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col gap-1 border-r bg-surface px-3 py-4 md:flex">
      <Link to="/" className="mb-3 flex items-center gap-2 px-2 font-semibold">
        <img src="/app/icon.svg" alt="" className="size-7" />
        Parley
      </Link>
      <nav aria-label={t('nav.label')} className="grid gap-0.5">
        {PLACES.map(({ to, name, Icon }) => (
          <Link
            key={to}
            to={to}
            aria-current={isHere(to) ? 'page' : undefined}
            className="flex items-center gap-3 rounded-lg px-3 py-2 text-sm font-medium text-muted hover:bg-raised hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            <Icon aria-hidden className="size-4.5" />
            {t(`nav.${name}`)}
            {name === 'contacts' && <ContactsBadge />}
          </Link>
        ))}
      </nav>
    </aside>
  );
}

const TAB =
  'flex min-h-14 min-w-0 flex-auto flex-col items-center justify-center gap-0.5 px-1 text-[0.7rem] font-medium text-muted aria-[current=page]:text-accent';

function BottomBar() {
  const { t } = useTranslation('shell');
  const isHere = useIsHere();
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {PLACES.slice(0, FIRST).map(({ to, name, Icon }) => (
        <Link key={to} to={to} aria-current={isHere(to) ? 'page' : undefined} className={TAB}>
          <Icon aria-hidden className="size-5" />
          {t(`nav.${name}`)}
        </Link>
      ))}
      {/* A modal menu writes a style element, which the page's policy forbids. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={TAB}
          aria-current={PLACES.slice(FIRST).some(({ to }) => isHere(to)) ? 'page' : undefined}
        >
          <Ellipsis aria-hidden className="size-5" />
          {t('nav.more')}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            side="top"
            sideOffset={4}
            collisionPadding={8}
            className="z-40 min-w-44 md:hidden rounded-xl border bg-surface p-1 shadow-float"
          >
            {PLACES.slice(FIRST).map(({ to, name, Icon }) => (
              <DropdownMenu.Item key={to} asChild>
                <Link
                  to={to}
                  className="flex items-center gap-3 rounded-lg px-3 py-2.5 text-sm data-highlighted:bg-raised"
                >
                  <Icon aria-hidden className="size-4.5" />
                  {t(`nav.${name}`)}
                  {name === 'contacts' && <ContactsBadge />}
                </Link>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </nav>
  );
}
