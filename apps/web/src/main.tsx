import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { FIRST_TEXTS } from './first-texts.ts';
import { startI18n } from './i18n/index.ts';
import { router } from './routes.tsx';
import { applyTheme } from './shell/theme.ts';
import './style.css';

/** Retries errors that may pass, but not a refusal of the server. */
function retry(failures: number, error: unknown): boolean {
  const { status = 0 } = error as { status?: number };
  return failures < 2 && (status === 0 || status >= 500);
}

applyTheme();
await startI18n(FIRST_TEXTS);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
