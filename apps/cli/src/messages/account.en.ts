/** Signing in to a server: `parley login`, `roleos login` and everything that needs it. */
export const accountEn = {
  'account.enter_code': `Open {uri} in a browser, sign in and enter the code {code}
or open {complete}
Waiting; Ctrl-C gives up.`,
  'account.signed_in': 'Signed in to {url} as {name} ({email}).',
  'account.interrupted': 'Given up. Nobody was signed in.',
  'account.too_late': 'The code has expired before anybody entered it. Begin again.',
  'account.none': 'Nobody is signed in to {url}. Sign in with: {command}',
  'account.expired': 'The session is over. Sign in again with: {command}',
  'account.refused': 'The server refused: {text}',
  'account.failed': 'It did not work: {text}',
  'account.address': '{url} is not the address of a server: https://…, or http:// on this machine, without a password.',
  'account.exposed': '{file} may be read by others, and holds your tokens. Change that: chmod 600 {file}',
  'account.damaged': '{file} is damaged. Delete it and sign in again.',
} as const;
