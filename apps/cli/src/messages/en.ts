import { accountEn } from './account.en.ts';
import { adminEn } from './admin.en.ts';
import { bundleEn } from './bundle.en.ts';
import { chatEn } from './chat.en.ts';
import { contactsEn } from './contacts.en.ts';
import { deviceEn } from './device.en.ts';
import { deviceHelpEn } from './device-help.en.ts';
import { skillEn } from './skill.en.ts';

/** A parameter replaces `{name}`. The Chinese table has the same keys and parameters (HS-6). */
export const en = {
  ...accountEn,
  ...adminEn,
  ...bundleEn,
  ...contactsEn,
  ...deviceEn,
  ...deviceHelpEn,
  ...chatEn,
  ...skillEn,
  'help.title.usage': 'Usage:',
  'help.title.arguments': 'Arguments:',
  'help.title.options': 'Options:',
  'help.title.global_options': 'Every command:',
  'help.title.commands': 'Commands:',

  'help.parley': 'Talk to AI agents, decide what they may do, and check what yours declare.',
  'help.parley.more': `Start here:
  parley tour                                 a guided tour of one minute
  parley examples                             files to try things with
  parley start                                run a server of your own
  parley login                                make this machine a device
  parley chat                                 talk to agents
  parley manifest init                        write your first manifest
  parley manifest validate manifest.json      is it right?
  parley manifest diff old.json new.json      must people agree again?

Exit codes: 0 success, 1 the document is not valid (or the diff is breaking),
2 wrong usage, 3 environment (such as a file that is missing or not readable).`,
  'help.manifest': 'Write, check, compare and preview capability manifests',
  'help.manifest.more': `A manifest is the JSON file in which an agent declares the tools it will ask a
person’s device to run, and the permission scopes they need.

Examples:
  parley manifest validate *.json
  git show main:manifest.json | parley manifest diff - manifest.json
  parley manifest preview manifest.json --locale zh-CN`,
  'help.init': 'Write a new manifest',
  'help.init.more': `In a terminal it asks a few questions; with --yes, --json or without a terminal
it writes a starter to edit. An existing file is kept unless --force is given.

Examples:
  parley manifest init
  parley manifest init agents/demo.json --yes
  parley manifest init - > manifest.json      to standard output

Exit codes: 0 written, 1 refused, 2 wrong usage, 3 the file cannot be written.
--json prints { file, hash }.`,
  'help.validate': 'Check manifests and list everything that is wrong',
  'help.validate.more': `Problems are printed as file:line:column with a code to look up. Warnings do not
make a manifest invalid.

Examples:
  parley manifest validate manifest.json
  parley manifest validate agents/*.json --json
  cat manifest.json | parley manifest validate

Exit codes: 0 all valid, 1 at least one is not, 2 wrong usage, 3 a file cannot
be read.
--json prints { valid, findings: [{ code, severity, path, message, params }] },
for several files { valid, files: [{ file, valid, findings, error? }] }.`,
  'help.diff': 'Compare two versions and say whether people must agree again',
  'help.diff.more': `The policies: spec is what the server enforces. With guide, every edit of an
input schema and every removal is breaking, but a new scope is not.

Examples:
  parley manifest diff old.json new.json
  git show main:manifest.json | parley manifest diff - manifest.json
  parley manifest diff old.json new.json --policy guide --json

Exit codes: 0 nothing breaking, 1 breaking or a manifest is not valid, 2 wrong
usage, 3 a file cannot be read. --no-fail turns the 1 of a breaking diff into 0.
--json prints { breaking, policy, old_hash, new_hash, scopes_requiring_reauth,
changes: [{ code, path, tool?, scope?, breaking, consent, message, witness? }] }`,
  'help.hash': 'Print the hash that identifies a manifest',
  'help.hash.more': `SHA-256 of the canonical form (RFC 8785): spaces and key order do not matter.

Examples:
  parley manifest hash manifest.json
  parley manifest hash agents/*.json          one “hash  file” per line

Exit codes: 0 success, 1 a manifest is not valid, 2 wrong usage, 3 a file cannot
be read. --json prints { hash }, for several files { files: [{ file, hash }] }.`,
  'help.preview': 'Show the consent screen a person would see',
  'help.preview.more': `Examples:
  parley manifest preview manifest.json
  parley manifest preview manifest.json --locale zh-CN

Exit codes: 0 success, 1 a manifest is not valid, 2 wrong usage, 3 a file cannot
be read. --json prints the screen as data, for several { files: [{ file, … }] }.`,
  'help.start': 'Start a server in the background',
  'help.start.more': `Waits until it answers and prints its address. It brings its own database, with
everything in ~/.parley/server (PARLEY_DATA_DIR), or uses yours (DATABASE_URL).
It listens on port 8484 (PARLEY_PORT).
In a clone of the repository, everything is in its folder .parley.

Examples:
  parley start
  parley start --foreground                   until Ctrl-C

Exit codes: 0 it is running, 2 wrong usage, 3 it cannot run here.
--json prints { url, pid, already_running }.`,
  'help.stop': 'Stop the server after it has finished its work',
  'help.stop.more': `Example:
  parley stop

Exit codes: 0 no server is running now, 2 wrong usage, 3 it does not stop.
--json prints { stopped }.`,
  'help.status': 'Show whether a server is running, and where',
  'help.status.more': `Example:
  parley status --json

Exit codes: 0 it is running and answers, 1 it is not, 2 wrong usage.
--json prints { running, responding, url, pid, uptime_seconds, database,
version, log? }.`,
  'help.backup': 'Write everything the server keeps into one file',
  'help.backup.more': `The server can keep running: the backup is a snapshot of one moment. The
server’s secrets and the keys of its own agents are only included with
--with-secrets.

Examples:
  parley backup parley.backup
  parley backup parley.backup --with-secrets

Exit codes: 0 written, 1 nothing to back up or the file exists, 2 wrong usage,
3 environment. --json prints { file, bytes, with_secrets, keystores }.`,
  'help.secrets': 'Replace the secrets of a server without signing anybody out',
  'help.secrets.more': `The secrets sign sessions and seal webhook secrets. Those of before count until
you retire them.

Example:
  parley secrets rotate && parley stop && parley start
  parley secrets retire`,
  'help.secrets.status': 'Show whether secrets of before still count',
  'help.secrets.status.more': `Example:
  parley secrets status --json

Exit codes: 0 shown, 2 wrong usage, 3 there are none.
--json prints { rotating, prepared, rotated_at, restart_needed }.`,
  'help.secrets.rotate': 'Make new secrets; those of before still count',
  'help.secrets.rotate.more': `The server uses them after a restart. With several nodes, run it with --prepare
first, copy secrets.json to all of them and restart them; then without it, copy
and restart again: no node meets a secret that it does not know.

Examples:
  parley secrets rotate
  parley secrets rotate --prepare

Exit codes: 0 done, 2 wrong usage, 3 there are none, or those of before still
count. --json prints { rotating, prepared, rotated_at, restart_needed }.`,
  'help.option.prepare': 'only make them known, for several nodes',
  'help.secrets.retire': 'Remove the secrets of before',
  'help.secrets.retire.more': `Webhook secrets that they sealed are sealed anew first. Access tokens that they
signed stop working after the next restart; people’s devices get new ones by
themselves. Wait until all nodes run with the new secrets.

Example:
  parley secrets retire

Exit codes: 0 none are left, 2 wrong usage, 3 a server still runs with them.
--json prints { retired }.`,
  'secrets.none': 'No secrets of before are left.',
  'secrets.rotating':
    'The secrets of before still count. Retire them once all nodes run with the new ones: {parley} secrets retire',
  'secrets.prepared':
    'New secrets are prepared. Once all nodes have this file and were restarted: {parley} secrets rotate',
  'secrets.restart': 'Restart the server, so that the file counts as it is now: {parley} stop, then {parley} start',
  'secrets.retired': 'The secrets of before are removed. The server forgets them at its next restart.',
  'help.restore': 'Fill an empty server from a backup',
  'help.restore.more': `Restores everything or nothing. The server must be stopped and its database
empty: move the data folder away first, or name a new one with PARLEY_DATA_DIR.

Example:
  parley restore parley.backup

Exit codes: 0 restored, 1 refused, 2 wrong usage, 3 environment.
--json prints { file, created_at, parley_version, secrets_restored }.`,
  'help.argument.backup': 'the file to write',
  'help.argument.restore': 'the backup',
  'help.argument.email': 'the address of the account',
  'help.option.foreground': 'stay in this terminal until Ctrl-C',
  'help.option.with_secrets': 'include the server’s secrets and its agents’ keys; guard the file well',
  'help.tour': 'Take a one-minute tour: validate, diff and preview an example',
  'help.tour.more': `In a terminal, press Enter to continue and q to quit. Elsewhere it runs through.

Example:
  parley tour --locale zh-CN`,
  'help.examples': 'Write the examples into a new folder',
  'help.examples.more': `Manifests, bundles and skills to try and to copy from. A folder that exists is
left alone.

Examples:
  parley examples
  parley examples demo

Exit codes: 0 written, 1 refused, 2 wrong usage, 3 the folder cannot be written.
--json prints { folder, files }.`,
  'help.argument.examples': 'where to',
  'help.completion': 'Print a script that completes commands with Tab',
  'help.completion.more': `The script knows every command, option and choice of this version, so print it
again after an update. Descriptions are in the language of --locale.

Examples:
  source <({program} completion bash)           in ~/.bashrc
  source <({program} completion zsh)            in ~/.zshrc, after compinit
  {program} completion fish | source            in ~/.config/fish/config.fish

Exit codes: 0 printed, 2 wrong usage. --json prints { shell, script }.`,
  'help.argument.shell': 'bash, zsh or fish',
  'help.argument.files': 'manifest files; - or nothing for standard input',
  'help.argument.old': 'the old manifest; - for standard input',
  'help.argument.new': 'the new manifest; - for standard input',
  'help.argument.target': 'where to write (manifest.json); - for standard output',
  'help.option.json': 'print JSON, errors too',
  'help.option.locale': 'language of the texts: en or zh-CN (from LC_ALL, LC_MESSAGES, LANG)',
  'help.option.help': 'show this help',
  'help.option.version': 'show the version',
  'help.option.policy': 'spec or guide (spec)',
  'help.option.no_fail': 'exit with 0 even if the diff is breaking',
  'help.option.yes': 'ask nothing and write the starter',
  'help.option.force': 'replace an existing file',
  'help.command.help': 'show the help of a command',

  'usage.unknown_option': 'There is no option {name}.',
  'usage.unknown_command': 'There is no command {name}.',
  'usage.missing_argument': 'The argument {name} is missing.',
  'usage.option_argument_missing': 'The option {name} needs a value.',
  'usage.invalid_value': '{value} is not a value for {name}. Choose one of: {choices}.',
  'usage.refused_value': '{value} is not a value for {name}. {reason}',
  'usage.excess_arguments': 'Too many arguments.',
  'usage.missing_command': 'A command is missing.',
  'usage.no_input': 'Name a file, or pipe a manifest in.',
  'usage.stdin_twice': 'Standard input (-) can be read only once.',
  'usage.did_you_mean': 'Did you mean {name}?',
  'usage.see_help': 'See: {command} --help',

  'input.not_readable': 'You do not have permission to read {file}.',

  'error.text': '{text}',
  internal: 'Something went wrong inside parley: {reason}\nSet PARLEY_DEBUG=1 to see where.',

  'ask.yes': 'yes',
  'ask.no': 'no',

  'severity.error': 'error',
  'severity.warning': 'warning',
  'count.errors.one': '{n} error',
  'count.errors.many': '{n} errors',
  'count.warnings.one': '{n} warning',
  'count.warnings.many': '{n} warnings',
  'count.files.one': '{n} file',
  'count.files.many': '{n} files',
  'count.breaking.one': '{n} breaking change',
  'count.breaking.many': '{n} breaking changes',
  'count.other.one': '{n} other change',
  'count.other.many': '{n} other changes',
  'list.separator': ', ',

  'validate.valid': '{file} is valid.',
  'validate.valid_with': '{file} is valid, with {findings}.',
  'validate.invalid': '{file} is not valid: {findings}.',
  'validate.total': '{files}: {valid} valid, {invalid} not valid.',
  'manifest.invalid': 'Not a valid manifest: {files}.',

  'diff.same': 'Nothing changed: both have the same hash.',
  'diff.breaking': 'Breaking: people must agree again.',
  'diff.breaking_scopes': 'Breaking: people must agree again to {scopes}.',
  'diff.silent': 'Not breaking: nobody has to agree again.',
  'diff.mark.breaking': 'breaking',
  'diff.mark.notice': 'notice',
  'diff.mark.none': 'silent',
  'diff.summary': '{breaking}, {others}. Policy: {policy}.',

  'init.written': 'Wrote {file}.',
  'init.next': 'Next: {parley} manifest validate {file}',
  'init.title': 'A new capability manifest',
  'init.ask.agent_version': 'Which version is your agent?',
  'init.ask.tool': 'What is its first tool called?',
  'init.ask.tool_text': 'What does the tool do, in a sentence for its users?',
  'init.ask.arguments': 'Which arguments does it take? Names with commas between them, or nothing',
  'init.ask.scope': 'Which permission does it need?',
  'init.ask.scope_other': 'another one',
  'init.ask.scope_id': 'The id of the permission, such as network:http',
  'init.ask.scope_text': 'What does the permission allow, in a few words?',
  'init.ask.sensitivity': 'How sensitive is it?',
  'init.ask.flags': 'What else can your agent do? Press Space to choose, Enter to continue',
  'init.sensitivity.low': 'runs without asking',
  'init.sensitivity.medium': 'asks, then stays silent for 24 hours in that conversation',
  'init.sensitivity.high': 'asks every time',
  'init.flag.supports_streaming': 'answers appear while they are written',
  'init.flag.supports_artifacts': 'sends forms, tables and other artifacts',
  'init.flag.supports_voice': 'understands and sends voice',
  'init.flag.supports_group_chat': 'joins group conversations',
  'init.needed': 'Please write something here.',
  'init.argument_invalid': 'Use letters, digits and underscores, a letter first.',
  'init.example.tool_text': 'Reads one file that you name',
  'init.example.scope_text': 'Open web addresses',
  'init.cancelled': 'Nothing was written.',

  'server.because': 'Reason: {text}',
  'start.starting': 'Starting Parley…',
  'start.running': 'Parley is running at {url}',
  'start.already': 'Parley is already running at {url}',
  'start.port_ignored':
    'It does not use port {port}: PARLEY_PORT counts from the next start on. {parley} stop, then {parley} start.',
  'start.operator_link': `This server has no operator yet. To be its operator, create your account with
this link, which works once: {link}`,
  'start.operator_file': `This server has no operator yet. The link to create the operator's account is
in {file}`,
  'start.next': '{parley} status shows more, {parley} stop ends it.',
  'stop.stopped': 'Parley has stopped.',
  'stop.none': 'No server was running.',
  'status.none': 'No server is running. Start one with: {parley} start',
  'status.starting': 'A server is starting (process {pid}).',
  'status.running': 'Parley is running at {url}',
  'status.silent': 'Parley should be running at {url}, but it does not answer.',
  'status.process': 'Process {pid}, for {uptime}',
  'status.database.embedded': 'Database: embedded',
  'status.database.external': 'Database: external (DATABASE_URL)',
  'status.version': 'Version {version}',
  'status.log': 'Log: {file}',
  'backup.written': 'Wrote {file} ({kib} KiB).',
  'backup.keystores': 'Keystores of the server’s own agents in it: {count}.',
  'backup.no_keystores':
    'It holds no keys of Hashee or DemoBot: this machine has none. If they run on another one, make the backup there.',
  'backup.guard_it':
    'It holds the server’s secrets and its agents’ keys: whoever reads it can sign in as anyone. Keep it safe.',
  'backup.without_secrets':
    'It does not contain the server’s secrets. Keep secrets.json safe as well, or use --with-secrets.',
  'backup.empty': 'There is nothing to back up yet.',
  'restore.done': 'Restored from {file}, which version {version} made at {time}.',
  'restore.next': 'Next: {parley} start',
  'restore.without_secrets': 'The backup holds no secrets. Put secrets.json back, or set new webhook secrets.',
  'restore.unreadable': '{file} is not a backup, or it is damaged. Nothing was restored.',
  'restore.newer': '{file} was made by a newer version of Parley. Nothing was restored.',
  'restore.not_empty': 'The database is not empty. Move the data folder away, or use another one.',

  'examples.written': '{count} files are in {folder}.',
  'examples.next': `What to try:
  {parley} manifest validate {folder}/manifests/demobot.json
  {parley} bundle validate {folder}/bundles/note-taker
  {parley} skill validate {folder}/skills/translate.json`,

  'tour.title': 'Parley in a minute',
  'tour.intro': `Agents declare what they can do; people decide what they may do.
The declaration is a capability manifest, a JSON file. This is one of
DemoBot’s {tools} tools, and the permission it needs:`,
  'tour.validate': `Is the manifest right? Everything is listed at once, with line and column.`,
  'tour.broken': `The same for one with mistakes in it. Each problem has a code for programs
and a sentence for people.`,
  'tour.diff': `DemoBot’s next version wants more. The diff says what no longer works, and
whether people who have added the agent must agree again.`,
  'tour.preview': `And this is what a person sees before adding the agent.`,
  'tour.next': `That was the tour. What to type next:`,
  'tour.next.examples': 'these files, to change them',
  'tour.next.init': 'write your own manifest',
  'tour.next.validate': 'check it, as you edit',
  'tour.next.help': 'everything else',
  'tour.pause': 'Press Enter to continue, q to quit',
} as const;
