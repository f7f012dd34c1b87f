import type { LoginSessionState } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { forgetFirstMessage } from '../../client/first-message.ts';
import { keys, openKeys, startKeys, typedBefore } from '../../client/keys.ts';
import { forgetSecrets, newSecrets } from '../../client/new-secrets.ts';
import { ClientProvider, DeviceProvider, useReadable, useSession } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { dropOffers } from '../../parts/undo.ts';
import { Lost } from './lost.tsx';
import { Removed } from './removed.tsx';
import { SignIn } from './sign-in.tsx';
import { Unfounded } from './unfounded.tsx';
import { Waiting } from './waiting.tsx';
import { Welcome } from './welcome.tsx';

const TypedBefore = lazy(async () => ({ default: (await import('./typed-before.tsx')).TypedBefore }));

const NewSecretDialog = lazy(async () => ({ default: (await import('../../shell/new-secret.tsx')).NewSecretDialog }));

/** Opens the keys, lets the person sign in, and waits until the device is let in. */
export function RequireSignIn({ children }: { readonly children: ReactNode }) {
  const hasSecret = useReadable(newSecrets).length > 0;
  return (
    <>
      <Keys>{children}</Keys>
      {/* It cannot be shown again: it stays, whatever becomes of the tab or the session meanwhile (WC-63). */}
      {hasSecret && (
        <Suspense>
          <NewSecretDialog />
        </Suspense>
      )}
    </>
  );
}

function Keys({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation(['signIn', 'parts']);
  const state = useReadable(keys);
  useEffect(startKeys, []);
  switch (state.state) {
    case 'open':
      return (
        <ClientProvider client={state.client}>
          <Session>{children}</Session>
        </ClientProvider>
      );
    case 'none':
      return <SignIn />;
    case 'starting':
      return <Starting />;
    case 'lost':
      return <Lost />;
    case 'busy':
      return (
        <Welcome>
          <Notice tone="warning" title={t('otherTab')}>
            {t('otherTabLead')}
          </Notice>
          <Button variant="primary" onClick={() => void openKeys({ steal: true })}>
            {t('useHere')}
          </Button>
        </Welcome>
      );
    case 'failed':
      return (
        <Welcome>
          <Notice tone="warning">{explain(state.error)}</Notice>
          <Button variant="primary" onClick={() => void openKeys()}>
            {t('parts:retry')}
          </Button>
        </Welcome>
      );
  }
}

export function Starting() {
  const { t } = useTranslation('signIn');
  return (
    <Welcome>
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner /> {t('starting')}
      </p>
    </Welcome>
  );
}

function Session({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const hasTyped = useReadable(typedBefore).length > 0;
  useOneAccount(session.state === 'ready' ? session.device.accountId : undefined);
  if (session.state === 'ready') return <DeviceProvider device={session.device}>{children}</DeviceProvider>;
  return (
    <>
      {hasTyped && (
        <Suspense>
          <TypedBefore />
        </Suspense>
      )}
      <NotReady session={session} />
    </>
  );
}

function NotReady({ session }: { readonly session: Exclude<LoginSessionState, { readonly state: 'ready' }> }) {
  if (session.state === 'signed_out') return <SignIn reason={session.reason} />;
  if (session.state === 'revoked') return <Removed {...session} />;
  if (session.state === 'unfounded') return <Unfounded />;
  if (session.state === 'waiting') return <Waiting {...session} />;
  return <Starting />;
}

let lastAccount: string | undefined;

/** Nothing that was read, done or begun with one account is shown to the next. */
function useOneAccount(accountId: string | undefined): void {
  const queries = useQueryClient();
  // Before anything of it is painted.
  useLayoutEffect(() => {
    if (accountId === undefined) return;
    if (lastAccount !== accountId) forgetSecrets();
    lastAccount = accountId;
    return () => {
      queries.clear();
      dropOffers();
      forgetFirstMessage();
    };
  }, [accountId, queries]);
}
