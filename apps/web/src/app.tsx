import { lazy, Suspense } from 'react';
import { Gate } from './screens/sign-in/gate.tsx';
import { Frame } from './shell/frame.tsx';

const PromptDialog = lazy(async () => ({
  default: (await import('./screens/conversations/prompt-dialog.tsx')).PromptDialog,
}));
const NewSecretDialog = lazy(async () => ({ default: (await import('./shell/new-secret.tsx')).NewSecretDialog }));

/** Signing in first; then the frame, and over whatever page is open the questions of agents and new secrets. */
export function App() {
  return (
    <Gate>
      <Frame />
      <Suspense>
        <PromptDialog />
        <NewSecretDialog />
      </Suspense>
    </Gate>
  );
}
