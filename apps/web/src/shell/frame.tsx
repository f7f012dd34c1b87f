import { Link, Outlet, useLocation } from '@tanstack/react-router';
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
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../parts/class-names.ts';

import { ConnectionBar } from './connection-bar.tsx';
import { ContactsBadge } from './contacts-badge.tsx';
import { ForkBar } from './fork-bar.tsx';
import { RecoveryBar } from './recovery-bar.tsx';
import { UpdateBar } from './update-bar.tsx';

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

/** Conversations fill the window and scroll inside; every other page is as long as it is. */
const FILLED = 'h-dvh pb-[calc(3.5rem+1px+env(safe-area-inset-bottom))]';

/** Shows the navigation and the open page. */
export function Frame() {
  const { t } = useTranslation('shell');
  const isHere = useIsHere();
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-lg focus:bg-surface focus:p-3"
      >
        {t('skip')}
      </a>
      <SideBar />
      <div className={classNames('flex min-w-0 flex-1 flex-col md:pb-0', isHere('/') ? FILLED : 'pb-16')}>
        <UpdateBar />
        <ConnectionBar />
        <ForkBar />
        <RecoveryBar />
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
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
