import { Navigate } from '@tanstack/react-router';

/** The address of invitations, for someone who is signed in. */
export function SignedUp() {
  return <Navigate to="/" replace />;
}
