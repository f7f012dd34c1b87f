import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepPages } from './client/update.ts';
import { startI18n } from './i18n/index.ts';
import { router } from './routes.tsx';
import { applyTheme } from './shell/theme.ts';
import './style.css';

applyTheme();
await startI18n();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

// After everything the first page needs.
if (import.meta.env.PROD) setTimeout(() => void keepPages(), 1_000);
