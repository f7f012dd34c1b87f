/** Signing in to a server: `parley login`, `roleos login` and everything that needs it. */
export const accountEn = {
  'account.enter_code': `Open {uri} in a browser, sign in and enter the code {code}
or open {complete}
Waiting; Ctrl-C gives up.`,
  'account.signed_in': 'Signed in to {url} as {name} ({email}).',
  'account.interrupted': 'Given up. Nobody was signed in.',
  'account.too_late': 'The code has expired before anybody entered it. Begin again.',
  'account.expired': 'The session is over. Sign in again with: {command}',
} as const;
