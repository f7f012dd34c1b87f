import { lazy, Suspense } from 'react';
import { RequireSignIn, Starting } from './screens/sign-in/require-sign-in.tsx';

const Inside = lazy(async () => ({ default: (await import('./inside.tsx')).Inside }));

/** Requires signing in. What is behind it is not loaded before (HS-11). */
export function App() {
  return (
    <RequireSignIn>
      <Suspense fallback={<Starting />}>
        <Inside />
      </Suspense>
    </RequireSignIn>
  );
}
