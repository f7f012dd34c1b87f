/** Help of the commands for people and agent developers at a server. */
export const deviceHelpEn = {
  'help.option.url': 'the server (PARLEY_URL, else where you signed in last, else http://localhost:8484)',
  'help.option.no_color': 'without colours; NO_COLOR does the same',
  'help.login': 'Sign in, and make this machine a device of the account',
  'help.login.more': `Asks for e-mail and password in a terminal; with --device, or without one, it
shows a code to enter in a browser. An account that has devices: this one shows
a code and waits until it is typed on a device that keeps the account key. An
account that has none: you are asked whether this is really the first one.
Keys and tokens are kept in ~/.parley (PARLEY_HOME), readable by you alone.

Examples:
  parley login
  parley login --url https://parley.example --device
  parley login --email ada@example.org --password-stdin < password.txt

Exit codes: 0 signed in, 1 refused, 2 wrong usage, 3 environment.
--json prints { server, user_id, email, display_name, device: { state, folder,
device_id, code?, recovery_unsaved? } }; state is ready or waiting. With --json
nothing is asked: a first device needs --first-device.`,
  'help.register': 'Create an account, and make this machine its first device',
  'help.register.more': `It makes the account key, and a recovery secret for the case that you lose all
your devices: save that next, with parley recovery.

Example:
  parley register --url http://localhost:8484
  parley register --invitation https://parley.example.com/sign-up#…

Exit codes: 0 registered, 1 refused, 2 wrong usage, 3 environment.
--json prints what parley login prints.`,
  'help.logout': 'Sign out; with --forget, also remove the device and its keys',
  'help.logout.more': `Examples:
  parley logout
  parley logout --forget                      deletes keys, messages and log

Exit codes: 0 signed out, 1 the recovery secret was not saved yet (no --yes),
2 wrong usage, 3 environment.
--json prints { server, signed_out, forgotten }.`,
  'help.whoami': 'Show who is signed in, and where the device keeps its keys',
  'help.whoami.more': `Example:
  parley whoami --json

Exit codes: 0 signed in, 1 not signed in, 2 wrong usage, 3 environment.
--json prints { server, user_id, email, display_name, role, device_folder,
device_key }; the key is null while parley chat holds the keystore.`,
  'help.devices': 'List, approve and revoke the devices of your account',
  'help.devices.more': `Devices that keep the account key add and remove others: the first one, and
those that you make keepers.

Examples:
  parley devices list
  parley devices approve 0197                 asks for the code it shows
  parley devices keep 0197                    can add and remove others, too
  parley devices revoke 0197`,
  'help.devices.list': 'List the devices of the account',
  'help.devices.list.more': `Exit codes: 0 success, 1 not signed in or not approved yet, 2 wrong usage,
3 environment (such as: parley chat is running, which has /devices).
--json prints { devices: [{ device_id, name, created_at, current, listed,
keeper, cut_off }], is_keeper }. One that is not listed waits for approval; one
that is cut off was shut out by the server and is still on the list: revoke it.`,
  'help.devices.approve': 'Approve a waiting device',
  'help.devices.approve.more': `The code is compared on this machine, so a server that replaced a key is caught.
At a terminal you are asked for it, and whether the new device should keep the
account key, too; elsewhere it does not unless --keeper says so.

Example:
  parley devices approve 0197 --code "12345 67890 12345 67890 12345"

Exit codes: 0 approved, 1 the code is wrong or this device is no keeper, 2 wrong
usage, 3 environment. --json prints { device_id, approved, keeper }.`,
  'help.devices.keep': 'Let a device keep the account key',
  'help.devices.keep.more': `It can then add and remove devices. Have two: if you lose one, the other can
revoke it.

Exit codes: 0 done, 1 refused, or this device is no keeper, 2 wrong usage,
3 environment. --json prints { device_id, keeper }.`,
  'help.devices.revoke': 'Revoke a device; its sessions end at once',
  'help.devices.revoke.more': `On a device that keeps the account key it is final: what the revoked device
signs afterwards counts nowhere, and if it was a keeper, the account key is
replaced.
On any other device, only the server shuts it out until a keeper has signed.

Exit codes: 0 revoked, 1 there is none, 2 wrong usage, 3 environment.
--json prints { device_id, revoked, signed }.`,
  'help.recovery': 'Save the recovery secret of your account, and use it',
  'help.recovery.more': `It is made with the account, 28 letters and digits, and stays on the first
device until you have saved it. It is the way back in when all your devices are
lost.

Examples:
  parley recovery save recovery.txt
  parley recovery show                        to write it down by hand
  parley recovery use                         on a new machine, after login`,
  'help.recovery.save': 'Write the recovery secret to a file, and forget it here',
  'help.recovery.save.more': `The file is readable by you alone; an existing one is never replaced.

Exit codes: 0 written, 1 it is not here or the file exists, 2 wrong usage,
3 environment. --json prints { file, saved }.`,
  'help.recovery.show': 'Show the recovery secret, to be written down by hand',
  'help.recovery.show.more': `Only at a terminal. Then it asks whether you have written it down; if so, this
machine forgets it.

Exit codes: 0 shown, 1 it is not here, 2 not at a terminal, 3 environment.`,
  'help.recovery.use': 'Recover the account on this machine with the recovery secret',
  'help.recovery.use.more': `Sign in first: parley login --no-wait. This machine becomes the only device of
the account: all others are removed and can be added again, the account key is
replaced, and your agents wait until you confirm them in parley chat. Without
FILE you are asked for the secret; elsewhere it is read from standard input. A
recovery file of an older version, with a passphrase, is taken as well; it
removes no other device.

Examples:
  parley recovery use
  parley recovery use recovery.txt

Exit codes: 0 recovered, 1 the secret or the passphrase is wrong, or this device
needs no recovery, 2 wrong usage, 3 environment.
--json prints { device_id, state, others_removed }.`,
  'help.account': 'Password, passkeys, the account key, and what it uses',
  'help.account.more': `Examples:
  parley account change-password
  parley account reset-password --email ada@example.com
  parley account rotate-key
  parley account settle                       asks for the recovery secret`,
  'help.account.rotate_key': 'Replace the account key on all devices that keep it',
  'help.account.rotate_key.more': `Do it when someone may have a copy of it, such as an old backup of a device: the
copy is of no use afterwards. Nobody has to be approved again.

Exit codes: 0 replaced, 1 this device is no keeper, 2 wrong usage,
3 environment. --json prints { rotated, keepers }.`,
  'help.account.settle': 'Say with the recovery secret which devices are yours',
  'help.account.settle.more': `When there are two signed versions of your device list, someone has a copy of
your account key, and nothing is sent until the recovery secret has settled it.
The devices that this machine knows stay; look at parley devices list first.

Exit codes: 0 settled, 1 the secret is wrong, 2 wrong usage, 3 environment.
--json prints { settled, devices }.`,
  'help.account.change_password': 'Change the password of your account',
  'help.account.change_password.more': `All your other sessions end. At a terminal it lists the passkeys and asks which
of them end, too; with --stdin all do but the one that this session began with.

Examples:
  parley account change-password
  parley account change-password --no-end-passkeys

Exit codes: 0 changed, 1 refused, 2 wrong usage, 3 environment.
--json prints { changed, passkeys_ended }.`,
  'help.account.reset_password': 'Set a new password with a link from an e-mail or operator',
  'help.account.reset_password.more': `With --email the server sends a link to that address first. A server that sends
no e-mail has an operator who can make one. All devices are signed out; keys and
messages stay on them. At a terminal it asks whether passkeys end, too; with
--stdin they do.

Examples:
  parley account reset-password --email ada@example.com
  parley account reset-password               asks for the operator's link

Exit codes: 0 done, 1 refused, 2 wrong usage, 3 environment.
--json prints { requested, reset }.`,
  'help.account.passkeys': 'List the passkeys of your account, or remove one',
  'help.account.passkeys.more': `Each with when it was added and last used. To add one you need a browser.
Removing one ends the sessions that began with it, and asks for your password
unless you gave it in the last ten minutes.

Examples:
  parley account passkeys
  parley account passkeys --remove AbC123

Exit codes: 0 listed or removed, 1 refused, 2 wrong usage, 3 environment.
--json prints { passkeys } or { removed }.`,
  'help.option.invitation': 'the link or code of an invitation',
  'help.option.end_passkeys': 'end all passkeys of the account, too',
  'help.option.no_end_passkeys': 'keep the passkeys of the account',
  'help.option.change_stdin': 'two lines of standard input: old and new password',
  'help.option.reset_stdin': 'two lines of standard input: the link, the new password',
  'help.option.reset_email': 'send a link to this address first',
  'help.option.remove_passkey': 'the id of the passkey to remove',
  'help.chat': 'Talk to agents, and decide what they may do on this machine',
  'help.chat.more': `A real device in the terminal: end-to-end encrypted, with its own keys, grants
and audit log. AGENT is a name, an id or a link. Agents can show notifications
here, read the clipboard and open web addresses, each as far as you allow it;
files only below --allow-dir, your location only if you give --location.

With --send it sends one message, waits for the answer and quits: prompts are
denied, except for tools that --allow names.

Examples:
  parley chat
  parley chat DemoBot --allow-dir ~/notes
  parley chat DemoBot --send "where am I?" --location 31.23,121.47 \\
    --allow read_location --json

Exit codes: 0 success, 1 refused or no answer, 2 wrong usage, 3 environment.
--json (with --send) prints { conversation_id, sent, answered, replies, calls:
[{ call_id, tool_name, state, status, reason? }], notifications }.`,
  'help.audit': 'Look at, verify and export what agents asked of this device',
  'help.audit.more': `The log holds digests, never arguments or results, and is kept for 30 days.

Examples:
  parley audit list --status denied
  parley audit verify
  parley audit export --file audit.jsonl`,
  'help.audit.list': 'List entries, the newest first',
  'help.audit.list.more': `Exit codes: 0 success, 1 there is no device, 2 wrong usage, 3 environment.
--json prints { records: [{ seq, call_id, agent_id, tool_name, scope,
arguments_digest, status, reason?, timestamp, … }] }.`,
  'help.audit.verify': 'Verify that nothing was changed, removed or reordered',
  'help.audit.verify.more': `With --file, an exported log of any device: --key is that device’s key (parley
whoami shows it there), else the one of this machine.

Examples:
  parley audit verify
  parley audit verify --file audit.jsonl --key KEY

Exit codes: 0 intact, 1 not intact, 2 wrong usage, 3 environment.
--json prints { ok, entries, head, device_key } or { ok, problem, seq,
message }.`,
  'help.audit.export': 'Write the log so that others can verify it',
  'help.audit.export.more': `One JSON object a line, to standard output or to --file.

Exit codes: 0 written, 1 there is no device, 2 wrong usage, 3 environment.
--json prints { device_key, lines } or { file, device_key, lines }.`,
  'help.agent': 'Create and manage your own agents',
  'help.agent.more': `Examples:
  parley agent create DemoBot --manifest manifest.json --token-file token.txt
  parley agent list
  parley manifest push manifest.json --agent DemoBot`,
  'help.agent.create': 'Create an agent; its token is shown only once',
  'help.agent.create.more': `Private unless --public is given: only you can find it, others need its link.

Exit codes: 0 created, 1 refused or the manifest is not valid, 2 wrong usage,
3 environment. --json prints { agent_id, name, visibility,
capability_manifest_version, capability_manifest_hash,
token | token_file | settings_file }.`,
  'help.agent.list': 'List your agents',
  'help.agent.list.more': `Exit codes: 0 success, 1 not signed in, 2 wrong usage, 3 environment.
--json prints { agents }.`,
  'help.agent.token': 'Give an agent a new token and end the old ones',
  'help.agent.token.more': `Exit codes: 0 done, 1 refused, 2 wrong usage, 3 environment.
--json prints { agent_id, token_id, token | token_file | settings_file }.`,
  'help.agent.events': 'Follow what happens to an agent',
  'help.agent.events.more': `Connections, manifests, tokens, deliveries, relations, and messages as counts:
never who the people are or what they say. Starts with the stored events and
continues until Ctrl-C.

Exit codes: 0 success, 1 refused, 2 wrong usage, 3 environment. --json prints
one event a line; with --once { events, last_event_id }.`,
  'help.agent.link': 'Print a link to share, with the fingerprint of the agent’s key',
  'help.agent.link.more': `Whoever follows it need not trust the server at first contact.

Exit codes: 0 success, 1 the agent has no keys or different ones, 2 wrong usage,
3 environment. --json prints { link, app_link, fingerprint, verified }.`,
  'help.webhook': 'Say where the events of an agent are delivered',
  'help.webhook.more': `For agents that are called, instead of keeping a connection open.

Examples:
  parley agent webhook set MyBot https://bot.example/hook --settings-file .env
  parley agent webhook test MyBot
  parley agent webhook remove MyBot`,
  'help.webhook.set': 'Set the address; the secret goes into a file',
  'help.webhook.set.more': `The address is HTTPS and public; a server in development also takes one of this
machine. The secret is made when the webhook is set for the first time, and
given only then. With --settings-file it is PARLEY_WEBHOOK_SECRET.

Exit codes: 0 set, 1 refused, 2 wrong usage, 3 environment.
--json prints { agent_id, url, secret_is_new, secret_file | settings_file }.`,
  'help.webhook.test': 'Deliver a ping and say how it went',
  'help.webhook.test.more': `Exit codes: 0 answered, 1 not answered or refused, 2 wrong usage, 3 environment.
--json prints { agent_id, delivery_id, status, last_status, last_error }.`,
  'help.webhook.remove': 'Deliver nothing any more',
  'help.webhook.remove.more': `Exit codes: 0 removed, 1 refused, 2 wrong usage, 3 environment.
--json prints { agent_id, removed }.`,
  'help.push': 'Replace the manifest of an agent',
  'help.push.more': `Shows the diff with its verdict first, and asks before a breaking change. Signed
in as the owner, or as the agent itself with its id and PARLEY_AGENT_TOKEN (CI).
Refused if someone else changed the manifest meanwhile.

Examples:
  parley manifest push manifest.json --agent DemoBot
  parley manifest push manifest.json --agent "$PARLEY_AGENT_ID" --yes --json

Exit codes: 0 pushed or the same, 1 refused, not valid or breaking (no --yes),
2 wrong usage, 3 environment. --json prints { agent_id, pushed,
capability_manifest_version, capability_manifest_hash, breaking, diff }.`,
  'help.argument.agent': 'name, id or link of an agent',
  'help.argument.agent_name': 'what it is called',
  'help.argument.own_agent': 'name or id of one of your agents',
  'help.argument.webhook_address': 'where its events go: https://…',
  'help.argument.device_id': 'the id of the device, or its beginning',
  'help.argument.recovery': 'a file with the recovery secret; - for standard input',
  'help.argument.secret_file': 'the file to write, which must not exist yet',
  'help.argument.manifest': 'the manifest; - for standard input',
  'help.option.email': 'the address of the account',
  'help.option.name': 'how others see you',
  'help.option.device': 'sign in with a code in a browser',
  'help.option.password_stdin': 'the first line of standard input is the password',
  'help.option.password_again_stdin': 'your password, if asked again, is the first line of stdin',
  'help.option.passphrase_stdin': 'the first line of standard input is the passphrase of an old recovery file',
  'help.option.recovery_yes': 'do not ask before the other devices are removed',
  'help.option.first_device': 'confirm that the account has no other device',
  'help.option.keeper': 'it keeps the account key, too',
  'help.option.no_keeper': 'it does not keep the account key',
  'help.option.forget_yes': 'forget it even if the recovery secret was not saved',
  'help.option.no_wait': 'do not wait until the device is approved',
  'help.option.forget': 'remove the device, its keys, messages and log',
  'help.option.code': 'what the new device shows',
  'help.option.allow_dir': 'a folder that agents may read files from; may be repeated',
  'help.option.location': 'where this device is, for agents that you allow to know',
  'help.option.allow_private': 'let agents open addresses of this machine and its network too',
  'help.option.send': 'send this message, wait for the answer and quit',
  'help.option.allow': 'with --send: allow this tool; may be repeated',
  'help.option.grant': 'with --send: add the agent with this permission; may be repeated',
  'help.option.wait': 'with --send: how long to wait for the answer (60)',
  'help.option.audit_agent': 'only of this agent',
  'help.option.audit_tool': 'only of this tool',
  'help.option.audit_status': 'only ok, denied or error',
  'help.option.limit': 'how many at most (50)',
  'help.option.audit_file': 'an exported log',
  'help.option.audit_key': 'the key of the device it was exported from',
  'help.option.export_file': 'the file to write',
  'help.option.manifest': 'its capability manifest',
  'help.option.description': 'what it does, for people who search',
  'help.option.public': 'everyone can find it',
  'help.option.token_file': 'write the token to this file, readable by you alone',
  'help.option.settings_file': 'write it into this file of settings (.env)',
  'help.option.secret_file': 'write the secret to this file, readable by you alone',
  'help.option.overlap': 'how many seconds the old tokens keep working (0)',
  'help.option.once': 'print the stored events and quit',
  'help.option.fingerprint': 'as the agent itself printed it',
  'help.option.agent': 'name or id of your agent',
  'help.option.push_yes': 'push a breaking change without asking',
} as const;
