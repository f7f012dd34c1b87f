/** People copy the whole link. */
export function readInvitation(text: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  return url ? url.hash.slice(1) : trimmed;
}

/** The invitation in the address of the page, and whether that address is the one for signing up. */
export function invitationOfPage({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>) {
  const isSignUp = pathname.endsWith('/sign-up');
  return { invitation: isSignUp && hash.length > 1 ? hash.slice(1) : undefined, isSignUp };
}
