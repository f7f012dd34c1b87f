import { lazy, Suspense } from 'react';
import { RequireSignIn } from './screens/sign-in/require-sign-in.tsx';
import { Frame } from './shell/frame.tsx';

const PromptDialog = lazy(async () => ({
  default: (await import('./screens/conversations/prompt-dialog.tsx')).PromptDialog,
}));
const NewSecretDialog = lazy(async () => ({ default: (await import('./shell/new-secret.tsx')).NewSecretDialog }));

/** Requires signing in, then shows the frame. Prompts of agents and new secrets appear above every page. */
export function App() {
  return (
    <RequireSignIn>
      <Frame />
      <Suspense>
        <PromptDialog />
        <NewSecretDialog />
      </Suspense>
    </RequireSignIn>
  );
}
