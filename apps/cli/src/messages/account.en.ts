/** Signing in to a server: `parley login`, `roleos login` and everything that needs it. */
export const accountEn = {
  'account.enter_code': `Open {uri} in a browser, sign in and enter the code {code}
or open {complete}
Waiting. Press Ctrl-C to cancel.`,
  'account.signed_in': 'Signed in to {url} as {name} ({email}).',
  'account.interrupted': 'Cancelled. You are not signed in.',
  'account.too_late': 'The code expired before anyone entered it. Please start again.',
  'account.expired': 'Your session has ended. Sign in again with: {command}',
} as const;
