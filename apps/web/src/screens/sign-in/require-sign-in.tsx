import type { Client } from '@parley/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { ClientProvider, DeviceProvider, useSession } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { SignIn } from './sign-in.tsx';
import { Unfounded } from './unfounded.tsx';
import { Waiting } from './waiting.tsx';
import { Welcome } from './welcome.tsx';

type Boot = { state: 'starting' } | { state: 'ready'; client: Client } | { state: 'failed'; error: unknown };

let booting: Promise<Client> | undefined;

/** The page has only one client, because a second one would find the keys locked. */
function boot(steal: boolean): Promise<Client> {
  booting ??= import('../../client/boot.ts').then(({ bootClient }) => bootClient(steal));
  booting.catch(() => {
    booting = undefined;
  });
  return booting;
}

/** Opens the keys, lets the person sign in, and waits until the device is let in. */
export function RequireSignIn({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation(['signIn', 'parts']);
  const [state, setState] = useState<Boot>({ state: 'starting' });
  const start = (steal: boolean) => {
    setState({ state: 'starting' });
    boot(steal).then(
      (client) => setState({ state: 'ready', client }),
      (error: unknown) => setState({ state: 'failed', error }),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => start(false), []);

  if (state.state === 'ready')
    return (
      <ClientProvider client={state.client}>
        <Session>{children}</Session>
      </ClientProvider>
    );
  if (state.state === 'starting') return <Starting />;
  const isOtherTab = (state.error as { code?: unknown } | null)?.code === 'STORE_BUSY';
  return (
    <Welcome>
      <Notice tone="warning" title={isOtherTab ? t('otherTab') : undefined}>
        {isOtherTab ? t('otherTabLead') : explain(state.error)}
      </Notice>
      <Button variant="primary" onClick={() => start(isOtherTab)}>
        {isOtherTab ? t('useHere') : t('parts:retry')}
      </Button>
    </Welcome>
  );
}

function Starting() {
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
  if (session.state === 'signed_out') return <SignIn />;
  if (session.state === 'unfounded') return <Unfounded />;
  if (session.state === 'waiting') return <Waiting code={session.code} />;
  if (session.state === 'opening') return <Starting />;
  return <DeviceProvider device={session.device}>{children}</DeviceProvider>;
}
