import { useEffect, useState } from 'react';
import { checkInvitation, readSignUpRules, type SignUpRules } from '../../client/sign-up.ts';

interface Found {
  /** Undefined until the server has answered. */
  readonly rules?: SignUpRules;
  /** What the invitation makes of someone; null if it no longer counts. */
  readonly role?: 'user' | 'admin' | null;
}

/** Asks who may register here, and whether an invitation still counts. Without an answer the form says what is wrong. */
export function useSignUpRules(invitation: string | undefined): Found {
  const [found, setFound] = useState<Found>({});
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const rules = await readSignUpRules();
      const role = invitation === undefined ? undefined : ((await checkInvitation(invitation)) ?? null);
      if (!isOver) setFound(role === undefined ? { rules } : { rules, role });
    };
    read().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [invitation]);
  return found;
}
