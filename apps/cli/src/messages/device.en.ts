/** The devices of an account, and the audit log of this one. */
export const deviceEn = {
  'account.ask.name': 'What is your name?',
  'account.ask.email': 'E-mail address',
  'account.ask.password': 'Password',
  'account.ask.new_password': 'A password of at least 10 characters',
  'account.ask.again': 'Enter it again',
  'account.ask.code': 'The code from the e-mail',
  'account.secret_missing': 'Standard input is empty. Put the secret into its first line.',

  'device.forget_first': 'To use this machine for another account: {parley} logout --forget',
  'device.signed_out': 'You are not signed in on this device. Sign in with: {parley} login',
  'device.opening': 'The server cannot be reached, and this device has not been set up yet. Try again later.',
  'device.waits': `This device waits until you approve it. On a device that keeps your account key, open “Devices” in the web client, or run
  {parley} devices approve {id}
and type this code there:
  {code}
If you have lost all your devices, use the recovery secret: {parley} recovery use`,
  'device.waiting': 'Waiting for approval. Press Ctrl-C to leave; the request stays open.',
  'device.waits_on': 'Not approved yet. Run {parley} login or {parley} chat to keep waiting.',
  'device.first_explained': `The server says that this account has no device yet. If that is true, this machine becomes the first one and makes the account key.
If you have used this account on another device before, answer no: a server that hides your devices from each other says the same.`,
  'device.ask_first': 'Is this your first device?',
  'device.first_left': 'You did not answer. You are signed in, but this machine is not a device of the account yet.',
  'device.unfounded': `The server says that this account has no device yet, and you have not confirmed it. If this is really your first device:
  {parley} login --first-device
If you have used the account on another device before, do not do that: ask the server’s operator why it hides the other device.`,
  'device.was_revoked': `This machine was removed from the account, so its keys are refused. To add it again, with new keys and without its messages and log, run {parley} logout --forget, then {parley} login`,
  'device.refused': 'This device was removed instead of approved. Sign in again if that was a mistake.',
  'device.ready': 'This machine is now the device “{name}” of your account. Its keys are in {folder}',
  'device.next': 'Next: {parley} chat',
  'device.logged_out':
    'Signed out of {url}. The keys of this device are kept: sign in again to continue where you left off.',
  'device.forgotten':
    'Signed out of {url}. The device was removed from your account, and its keys, messages and log were deleted.',
  'device.nobody': 'You were not signed in to {url}.',
  'device.account_id': 'Account {id}',
  'device.folder': 'Device: {folder}',
  'device.no_folder': 'This machine is not a device of the account yet ({folder}). Make it one with: {parley} login',
  'device.key': 'Its public key, for verifying its audit log: {key}',
  'device.this': 'this device',
  'device.pending': 'waiting for approval',
  'device.keeper': 'keeps the account key',
  'device.cut_off': 'shut out by the server, but still on your list: revoke it',
  'device.unnamed': 'A device without a name',
  'device.approved': '“{name}” is approved.',
  'device.approved_keeper': '“{name}” is approved and keeps the account key, too.',
  'device.not_approved': 'You left. Nothing was approved.',
  'device.kept': '“{name}” keeps the account key now: it can add and remove devices.',
  'device.not_keeper': `This device does not keep the account key, so it cannot do that. Use one that does ({parley} devices list shows which), or make this one a keeper there:
  {parley} devices keep {id}`,
  'device.revoked': '“{name}” is removed and signed out.',
  'device.unconfirmed':
    'Not confirmed by {names} yet. Until then they may still accept what the removed device sends. This computer tells them while {parley} chat runs here.',
  'device.shut_out': `“{name}” is signed out, but only by the server: this device does not keep the account key. To make it final, run this on one that does:
  {parley} devices revoke {id}`,
  'device.unknown': '{id} matches no device, or more than one. Run {parley} devices list to see the ids.',
  'device.code_needed': 'Enter the code that the new device shows: --code "12345 …"',
  'device.ask_code': 'The code that the new device shows',
  'device.ask_keeper':
    'Should “{name}” keep the account key, too? It can then add and remove devices, also when you have lost this one.',

  'recovery_secret.made': `A recovery secret was made for your account. It is the only way back in when you have lost all your devices, and so far it is only on this machine. Save it now, with one of these:
  {parley} recovery save FILE   write it to a file
  {parley} recovery show        write it down by hand`,
  'recovery_secret.saved':
    'Wrote {file}, and forgot the recovery secret here. Move the file to a safe place, away from this machine: whoever has it can take over the account.',
  'recovery_secret.file_exists': '{file} already exists and is left alone. Name another file.',
  'recovery_secret.shown': `Write this down, and keep it in a safe place:
  {secret}
It is the only way back in when you have lost all your devices. Whoever has it can take over the account.`,
  'recovery_secret.ask_saved': 'Have you written it down? If so, this machine forgets it.',
  'recovery_secret.kept': 'The recovery secret is still on this machine. Save it soon.',
  'recovery_secret.forgotten': 'This machine has forgotten the recovery secret. Take good care of your copy.',
  'recovery_secret.needs_terminal':
    'The recovery secret is shown only to a person at a terminal. To write it to a file: {parley} recovery save FILE',
  'recovery_secret.ask_secret': 'Your recovery secret, 28 letters and digits',
  'recovery_secret.left': 'You left. Nothing was changed.',
  'recovery_secret.secret_missing': 'There is no recovery secret in the input: it is empty.',
  'recovery_secret.explained': `Recovering makes this machine the only device of your account:
  • All your other devices are removed. You can add those that you still have again.
  • The account key is replaced.
  • Your agents can’t do anything until you confirm them here, in {parley} chat with /review.`,
  'recovery_secret.ask_use': 'Recover your account here?',
  'recovery_secret.used': '“{name}” is approved.',
  'recovery_secret.used_more': `All your other devices were removed. On those that you still have, run {parley} logout --forget, then {parley} login.
Your agents can’t do anything until you confirm them: run {parley} chat, open each one, and type /review.
Keep the recovery secret. It stays the same.`,
  'recovery_secret.ask_passphrase': 'Passphrase of the recovery file',
  'recovery_secret.passphrase_missing': 'This recovery file has a passphrase. Give it with --passphrase-stdin.',
  'recovery_secret.passphrase_needs_file':
    '--passphrase-stdin reads the passphrase from standard input, so the recovery secret must come from a file.',
  'recovery_secret.ask_lose':
    'You have not saved the recovery secret of your account, and this machine may have the only copy. Without it, and without another device that keeps the account key, the account is lost. Remove this device anyway?',

  'account.rotated':
    'The account key was replaced on all devices that keep it. A copy of the old one is of no use to anyone any more.',
  'account.settle_explained': `With your recovery secret you say which devices are yours: those that this machine knows ({parley} devices list). All others are removed, and the account key is replaced.`,
  'account.settled':
    'Settled: the devices that this machine knows are yours, all others were removed, and the account key was replaced.',
  'account.settle_hint': 'If it is your own account, settle it with: {parley} account settle',

  'audit.empty': 'The audit log is empty.',
  'audit.fine': 'The log is complete: {n} entries, none changed or missing. Signed by {key}',
  'audit.written': 'Wrote {file}. Anyone can verify it with: {parley} audit verify --file FILE --key {key}',
  'audit.key_invalid': 'This is not the key of a device. It has 43 letters, digits, - and _; {parley} whoami shows it.',

  'agent.created': 'Created {name}: {id}',
  'agent.token': 'Its token, shown only once: {token}',
  'agent.token_file': 'Its token is in {file}, which only you can read.',
  'agent.settings_file': 'Its id and token are in {file}, which only you can read.',
  'agent.token_old_ended': 'The previous tokens no longer work.',
  'agent.token_old_ends': 'The previous tokens keep working for {seconds} seconds.',
  'agent.next': 'Start it with PARLEY_URL={url} PARLEY_AGENT_ID={id} and PARLEY_AGENT_TOKEN set to the token.',
  'agent.next_settings': 'Start your program with: node --env-file={file} PROGRAM',
  'agent.none': 'You have no agents. Create one with: {parley} agent create NAME',
  'agent.visibility.public': 'public',
  'agent.visibility.private': 'private',
  'agent.status.active': 'active',
  'agent.status.suspended': 'suspended',
  'agent.status.banned': 'banned',
  'agent.manifest': 'manifest {version} with {tools} tools',
  'agent.events_lost': 'The connection was lost. Reconnecting…',
  'agent.link_unverified':
    'The fingerprint comes from the server. Compare it with the one your agent prints, or pass that one with --fingerprint.',
  'webhook.set': 'Its events now go to {url}',
  'webhook.secret_file': 'The secret that signs them is in {file}, which only you can read.',
  'webhook.secret_stays': 'The secret stays as it was. For a new one, remove the webhook and set it again.',
  'webhook.none':
    'This agent has no webhook. Set one with: {parley} agent webhook set AGENT ADDRESS --settings-file .env',
  'webhook.removed': 'Nothing is delivered any more.',
  'webhook.delivered': 'The webhook answered.',
  'webhook.not_delivered':
    'The webhook did not answer as it should ({reason}). Is your program running, at this address and with this secret?',
  'push.confirm': 'This is a breaking change: everyone who has added the agent will be asked again. Continue?',
  'push.done': 'Pushed as version {version}. Nobody has to agree again.',
  'push.done_breaking': 'Pushed as version {version}. Everyone who has added the agent will be asked again.',
  'push.same': 'Nothing to push: version {version} is already this manifest.',
  'usage.missing_option': 'The option {name} is missing.',
  'usage.not_both': 'Give {one} or {other}, not both.',
  'usage.one_of': 'Give {one} or {other}: the secret is not shown.',
  'usage.number': '{name} takes a whole number.',
} as const;
