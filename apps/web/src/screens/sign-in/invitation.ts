/** People copy the whole link. */
export function readInvitation(text: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  return url ? url.hash.slice(1) : trimmed;
}

const KEY = 'parley.invitation';

/** The invitation of the link that led here, also after a reload, and whether this is the page for signing up. */
export function invitationOfPage() {
  const isSignUp = location.pathname.endsWith('/sign-up');
  const invitation = isSignUp ? location.hash.slice(1) || (sessionStorage.getItem(KEY) ?? '') : '';
  return { invitation: invitation === '' ? undefined : invitation, isSignUp };
}

/** It leaves the address and the history, which others may look at; this tab remembers it. */
export function hideInvitation(invitation: string): void {
  sessionStorage.setItem(KEY, invitation);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}
