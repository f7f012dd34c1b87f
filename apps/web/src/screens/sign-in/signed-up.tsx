import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetInvitation } from './invitation.ts';

/** The address of invitations, for someone who is signed in. */
export function SignedUp() {
  useEffect(forgetInvitation, []);
  return <Navigate to="/" replace />;
}
