/** Signing in to a server: `parley login`, `roleos login` and everything that needs it. */
export const accountEn = {
  'account.enter_code': `Open {uri} in a browser, sign in and enter the code {code}
or open {complete}
Waiting. Press Ctrl-C to cancel.`,
  'account.signed_in': 'Signed in to {url} as {name} ({email}).',
  'account.interrupted': 'Cancelled. You are not signed in.',
  'account.too_late': 'The code expired before anyone entered it. Please start again.',
  'account.expired': 'Your session has ended. Sign in again with: {command}',
  'account.unchanged': 'Cancelled. The password is as before.',
  'account.terminal_needed': 'There is no terminal to ask at. Use --stdin, and put two lines into standard input.',
  'account.secrets_missing': 'Standard input needs two lines.',
  'account.ask.end_passkeys': 'Which passkeys end with the old password? Someone else may have added one.',
  'account.ask.reset_passkeys': 'Also remove all passkeys of the account? Someone else may have added one.',
  'account.ask.password_again': 'Your password, once more',
  'account.password_again_needed':
    'Give your password before you do this: with --password-stdin it is the first line of standard input.',
  'account.ask.reset_link': 'The link for a new password, or its code',
  'account.changed': 'The password is changed. All your other sessions have ended.',
  'account.changed_without_passkeys':
    'The password is changed. All your other sessions have ended, and these passkeys: {names}.',
  'account.reset_sent': 'If an account has this address, a link is on its way to it. It works once, for half an hour.',
  'account.reset': `The password is reset, and all devices are signed out. Sign in with: {parley} login
Your keys and messages stay on your devices. If you have none of them any more,
the recovery secret gives you the account back: {parley} recovery use`,
  'account.reset_passkeys': 'Passkeys of the account are removed. Add yours again in the web client, under Settings.',
  'account.no_passkeys': 'The account has no passkeys. Add one in the web client, under Settings.',
  'account.passkey_made': 'added {date}',
  'account.passkey_used': 'last used {date}',
  'account.passkey_unused': 'never used',
  'account.passkey_removed': 'The passkey is removed. It no longer signs anyone in.',
  'account.budget_line': '{used} of {limit}',
  'account.budget_none': 'no limit',
  'help.account.usage': 'Show what your account may use, and what it does use',
  'help.account.usage.more': `Your devices and all your agents count together. Only an operator of the server
can change the limits.

Example:
  parley account usage --json

Exit codes: 0 done, 1 not signed in, 2 wrong usage, 3 environment.
--json prints { budgets: [{ name, kind, unit, used, limit }] }.`,
} as const;
