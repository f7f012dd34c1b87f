/** `parley admin`: managing the accounts of a server. */
export const adminEn = {
  'help.admin': 'Manage the accounts of a server, as its operator',
  'help.admin.more': `You act with your own login (parley login), which must be an operator’s. The
server records what you do, with when, why and from where. Before you take
something from an account it asks for your password, unless you gave it in the
last ten minutes.

Examples:
  parley admin accounts
  parley admin show ada@example.com
  parley admin suspend ada@example.com --reason "sends spam"
  parley admin audit`,
  'help.admin.accounts': 'List accounts, newest first',
  'help.admin.accounts.more': `Finds them by a part of the name or address. Of what people write, operators
see nothing.

Examples:
  parley admin accounts
  parley admin accounts example.com --status suspended
  parley admin accounts --role operator
  parley admin accounts --all --json

Exit codes: 0 listed, 1 refused, 2 wrong usage, 3 environment.
--json prints { accounts }.`,
  'help.admin.show': 'Show one account and how much it has',
  'help.admin.show.more': `Example:
  parley admin show ada@example.com

Exit codes: 0 shown, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints the account with its counts.`,
  'help.admin.suspend': 'Shut an account out, with its agents',
  'help.admin.suspend.more': `Its sessions and sockets end at once, its agents are refused, its webhooks get
nothing, and signing in is refused. Nothing is deleted: “resume” undoes it.

Example:
  parley admin suspend ada@example.com --reason "sends spam"

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, role, status }.`,
  'help.admin.resume': 'Let a suspended account in again',
  'help.admin.resume.more': `Its owner signs in again; its agents and their relations go on.

Example:
  parley admin resume ada@example.com

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, role, status }.`,
  'help.admin.sign_out': 'Sign an account out everywhere',
  'help.admin.sign_out.more': `Ends all its sessions and sockets, after a lost laptop for example. Its agents
go on, and its owner can sign in again.

Example:
  parley admin sign-out ada@example.com --reason "lost laptop"

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, role, status, sessions }.`,
  'help.admin.revoke': 'Make an operator an ordinary account',
  'help.admin.revoke.more': `Nobody can do this to themselves, so that an operator always remains.

Example:
  parley admin revoke ada@example.com

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, role, status }.`,
  'help.grant': 'Make an account an operator',
  'help.grant.more': `Without --url it works on the database of this machine’s server, whether or not
that is running, and needs no login. With --url it asks that server, as the
operator you are signed in as. Operators cannot read messages.

Examples:
  parley admin grant ada@example.com
  parley admin grant ada@example.com --url https://parley.example.com

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { email, role }.`,
  'help.admin.audit': 'Show what operators did, newest first',
  'help.admin.audit.more': `Every action has who did it, to whom, when, why and from which address. The
log is only ever added to.

Examples:
  parley admin audit
  parley admin audit --account ada@example.com
  parley admin audit --all --json > operators.json

Exit codes: 0 listed, 1 refused, 2 wrong usage, 3 environment.
--json prints { actions }.`,
  'help.admin.quota': 'Show or change what an account may use',
  'help.admin.quota.more': `Without a budget, all are shown with what is used. A value replaces the default
for this account; --clear goes back to the default.

Examples:
  parley admin quota ada@example.com
  parley admin quota ada@example.com bytes_stored 10GiB
  parley admin quota ada@example.com bytes_stored --clear

Exit codes: 0 done, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, budgets }.`,
  'help.admin.reset_link': 'Make a link with which someone sets a new password',
  'help.admin.reset_link.more': `The link works once and is shown once. Give it to the owner of the account, and
to nobody else: its owner is told that it was made. Messages are not opened by
it; for those the recovery secret or another device is needed.

Example:
  parley admin reset-link ada@example.com

Exit codes: 0 made, 1 no such account or refused, 2 wrong usage, 3 environment.
--json prints { user_id, email, link, expires_at }.`,
  'help.admin.invitations': 'Invite people to register',
  'help.admin.invitations.more': `Examples:
  parley admin invitations create --uses 5 --days 14 --note "the team"
  parley admin invitations list
  parley admin invitations revoke <invitation>`,
  'help.admin.invitations.create': 'Make an invitation; its link is shown once',
  'help.admin.invitations.create.more': `Example:
  parley admin invitations create --uses 5 --days 14 --note "the team"

Exit codes: 0 made, 1 refused, 2 wrong usage, 3 environment.
--json prints { invitation, code, link }.`,
  'help.admin.invitations.list': 'List invitations, newest first',
  'help.admin.invitations.list.more': `Example:
  parley admin invitations list

Exit codes: 0 listed, 1 refused, 2 wrong usage, 3 environment.
--json prints { invitations }.`,
  'help.admin.invitations.revoke': 'End an invitation; those who registered with it stay',
  'help.admin.invitations.revoke.more': `Example:
  parley admin invitations revoke 0198c0de-0000-7000-8000-000000000000

Exit codes: 0 ended, 1 not there or refused, 2 wrong usage, 3 environment.
--json prints { invitation_id }.`,
  'help.argument.account': 'the address or the id of the account',
  'help.argument.search_accounts': 'a part of the name or address',
  'help.argument.budget': 'a budget as the list names it, and its new limit, such as 500 or 10GiB',
  'help.argument.invitation': 'its id, as the list shows it',
  'help.option.status': 'only those with this status',
  'help.option.role': 'only those with this role',
  'help.option.all': 'all of them, not only the newest',
  'help.option.reason': 'why, for the log of what operators did',
  'help.option.grant_url': 'ask this server, instead of the database of this machine',
  'help.option.audit_account': 'only what was done to this account',
  'help.option.audit_operator': 'only what this operator did',
  'help.option.clear': 'go back to the default',
  'help.option.uses': 'how many people may register with it (1)',
  'help.option.days': 'how many days it counts (7)',
  'help.option.note': 'what it is for, for yourself',

  'admin.granted': '{email} is an operator now.',
  'admin.revoked': '{email} is an ordinary account now.',
  'admin.suspended': '{email} is suspended. To undo it: {parley} admin resume {email}',
  'admin.resumed': '{email} can sign in again.',
  'admin.signed_out': '{email} is signed out everywhere ({sessions}).',
  'admin.no_account': 'This account doesn’t exist.',
  'admin.no_action': 'Nothing has been done yet.',
  'admin.count_wanted': 'It must be a whole number from 1 to {most}.',
  'admin.read_so_far': '{count} so far…',
  'admin.role.admin': 'operator',
  'admin.status.active': 'active',
  'admin.status.banned': 'suspended',
  'admin.status.deleted': 'deleted',
  'admin.never_seen': 'never signed in',
  'admin.seen': 'last seen {time}',
  'admin.since': 'Registered {time}',
  'admin.holding.sessions': '{count} sessions',
  'admin.holding.devices': '{count} devices',
  'admin.holding.passkeys': '{count} passkeys',
  'admin.holding.relations': '{count} agents added',
  'admin.holding.conversations': '{count} conversations',
  'admin.holding.bundles': '{count} bundles published',
  'admin.holding.skills': '{count} skills published',
  'admin.by': 'by {who}',
  'admin.by_machine': 'someone at the server’s own machine',
  'admin.from': ' from {address}',
  'admin.budget_changed': 'changed by an operator; the default is {default}',
  'admin.budget_unknown': 'There is no budget {name}. There are: {names}',
  'admin.budget_value_wanted': 'Give a budget and its new limit, a whole number such as 500 or 10GiB, or --clear.',
  'admin.reset_link': 'Give this link to {email} and nobody else. It works once, until {time}.',
  'admin.invitation_made': 'This link is shown once. It counts until {time}, for {uses}.',
  'admin.invitation_line': '{used} of {uses} used, until {time}',
  'admin.invitation_over': 'over',
  'admin.no_invitation': 'There are no invitations.',
  'admin.invitation_revoked': 'The invitation is over. Those who registered with it stay.',
  'count.agents.one': '{n} agent',
  'count.agents.many': '{n} agents',
  'count.people.one': '{n} person',
  'count.people.many': '{n} people',
  'count.sessions.one': '{n} session',
  'count.sessions.many': '{n} sessions',
} as const;
