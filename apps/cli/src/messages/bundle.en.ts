/** Bundles: `roleos` and `parley bundle`. `{program}` is the one the person called. */
export const bundleEn = {
  'help.roleos': 'Checks, previews, installs and undoes whole teams of AI roles.',
  'help.roleos.more': `Start here:
  roleos init                                 detect what is here, set up
  roleos validate manifest.json               is the bundle right?
  roleos preview ./my-team                    what would it do here?
  roleos install examples/bundles/note-taker  preview, ask, install
  roleos status                               what is installed? is it intact?

parley examples writes the folder examples. Nothing is ever half installed, and
every installation can be undone.

Exit codes: 0 success, 1 refused or not valid, 2 wrong usage, 3 environment
(files, network), 130 interrupted: the workspace is as before.`,
  'help.roleos.init': 'Detect what this machine has and choose where bundles go',
  'help.roleos.init.more': `Finds Node, Python, Docker, OpenClaw and what starts MCP servers (npx, uvx).
In a terminal it asks for the workspace. Run again, it changes what it is told
and keeps the rest. Everything is in ~/.roleos (ROLEOS_HOME).

Examples:
  roleos init
  roleos init --yes --workspace ~/agents --target plain
  roleos init --yes --mirror official=./mirror

Exit codes: 0 written, 2 wrong usage, 3 environment.
--json prints { config, workspace, target, registry, mirrors, programs,
runtimes }.`,
  'help.roleos.start': 'Start the control layer: recover, verify, open a session',
  'help.roleos.start.more': `Undoes a change that was interrupted, compares every installed file with its
digest, and opens a session: bundles of the scope “session” live until roleos
stop.

Example:
  roleos start

Exit codes: 0 started, 1 files have drifted, 2 wrong usage, 3 environment.
--json prints { workspace, alreadyStarted, session, bundles, removed, … }.`,
  'help.roleos.stop': 'Stop the control layer and remove the bundles of its session',
  'help.roleos.stop.more': `Example:
  roleos stop

Exit codes: 0 stopped, 2 wrong usage, 3 environment.
--json prints { workspace, stopped, removed }.`,
  'help.roleos.status': 'Show the control layer, the bundles, their routes, and drift',
  'help.roleos.status.more': `Routes are shown in order: who starts, who hands over to whom and when, what
happens if something fails. Due updates are listed, never applied.

Examples:
  roleos status
  roleos status --json

Exit codes: 0 all is intact, 1 files have drifted, 2 wrong usage,
3 environment.
--json prints { workspace, control, recovery, bundles, dueUpdates }.`,
  'help.roleos.login': 'Sign in to a server with a code that you enter in a browser',
  'help.roleos.login.more': `You need this to publish. The tokens go into a file that only you can read.

Examples:
  roleos login
  roleos login --url https://parley.example

Exit codes: 0 signed in, 1 refused, 2 wrong usage, 3 environment.
--json prints { server, user_id, email, display_name }.`,
  'help.roleos.option.yes': 'ask nothing',
  'help.roleos.option.mirror': 'where roleos-mirror://<name> is: name=folder or name=https://…',
  'help.roleos.option.server': 'the server (PARLEY_URL, or where you signed in last)',

  'help.bundle': 'Check, preview, activate, undo and publish role bundles',
  'help.bundle.more': `A bundle is a folder with a manifest.json and the files of its kits. The command
roleos can do more, such as installing step by step.

Examples:
  parley bundle validate ./my-team
  parley bundle preview ./my-team --workspace ~/agents
  parley bundle run-as-agent my-team`,
  'help.bundle.validate': 'Check a bundle on all six levels',
  'help.bundle.validate.more': `Problems are printed as file:line:column with a code to look up. Warnings do not
make a bundle invalid. A folder is checked with the files of its kits.

Examples:
  {program} validate manifest.json
  {program} validate ./my-team --json

Exit codes: 0 valid, 1 not valid, 2 wrong usage, 3 it cannot be read.
--json prints { valid, passedLevels, totalLevels, results, errors, warnings }.`,
  'help.bundle.preview': 'Show what activating a bundle would do, and its risk',
  'help.bundle.preview.more': `Changes nothing. If the content of a kit cannot be fetched, the plan is shown
without it, with the reason.

Examples:
  {program} preview ./my-team
  {program} preview research-pipeline@1.0.0 --json

Exit codes: 0 shown, 1 not valid, 2 wrong usage, 3 environment.
--json prints { preview, markdown, missing, conflicts, origin, replaces,
upgrade }.`,
  'help.bundle.activate': 'Activate exactly what was previewed, without asking',
  'help.bundle.activate.more': `Activates everything or nothing, even if it is killed. If anything has changed
since the preview, the digest of the plan differs and nothing happens.

Example:
  {program} activate ./my-team --plan-digest sha256:…

Exit codes: 0 activated, 1 refused, 2 wrong usage, 3 environment,
130 interrupted. --json prints { bundleId, version, workspace, filesCreated,
filesModified, filesRemoved, entryRole, snapshotId, assertions, warnings }.`,
  'help.bundle.rollback': 'Undo the last activation of a bundle',
  'help.bundle.rollback.more': `Goes back to the previous version, or removes the bundle if there is none. Files
that you edited since are kept and listed.

Example:
  {program} rollback my-team

Exit codes: 0 undone, 1 refused, 2 wrong usage, 3 environment.
--json prints { done, bundleId, version, filesRestored, filesRemoved, kept }.`,
  'help.bundle.publish': 'Put a version of a bundle into the registry',
  'help.bundle.publish.more': `Includes the files below kits/<kit-id>/. A published version never changes, and
an id belongs to whoever published it first. Sign in first.

Examples:
  {program} publish ./my-team
  {program} publish ./my-team --registry https://parley.example

Exit codes: 0 published, 1 refused, 2 wrong usage, 3 environment.
--json prints { id, version, digest, changes, warnings, registry }.`,
  'help.bundle.install': 'Install a bundle: preview, risk, question, progress',
  'help.bundle.install.more': `<bundle> is an id of the registry (name or name@version), a folder (./name), a
manifest file, or an https address of either. Ctrl-C leaves the workspace as it
was. Without a terminal, name the plan that was previewed.

Examples:
  roleos install research-pipeline
  roleos install ./my-team --workspace ~/agents
  roleos install ./my-team --yes --plan-digest sha256:…

Exit codes: 0 installed, 1 refused or not confirmed, 2 wrong usage,
3 environment, 130 interrupted. --json prints the same as activate; without
--yes { error, preview, … } with the digest to confirm.`,
  'help.bundle.uninstall': 'Remove a bundle and restore what was there before',
  'help.bundle.uninstall.more': `Restores every byte. Files that you edited since are kept and listed.

Example:
  roleos uninstall research-pipeline

Exit codes: 0 removed, 1 not installed, or must be done by hand, 2 wrong usage,
3 environment.
--json prints { done, bundleId, version, filesRestored, filesRemoved, kept }.`,
  'help.bundle.import': 'Make a kit from a skill folder (SKILL.md), locked by its digest',
  'help.bundle.import.more': `Prints the kit, or puts it with its files into the folder of a bundle; if there
is no bundle yet, a small one is started there.

Examples:
  roleos import ./skills/web-search
  roleos import ./skills/web-search --into ./my-team

Exit codes: 0 done, 1 no skill or the kit exists, 2 wrong usage,
3 environment. --json prints {"kit": …}, with --into also manifest and digest.`,
  'help.bundle.run': 'Run an installed bundle as an agent that people can talk to',
  'help.bundle.run.more': `Registers the bundle as your agent, or gives it its new manifest, then answers
messages until Ctrl-C. Its tools are run by people’s devices, which ask them.
Each run gets a new token that nobody sees, unless --token-file keeps one.

Examples:
  parley bundle run-as-agent my-team
  parley bundle run-as-agent my-team --no-run --token-file my-team.token

Exit codes: 0 done, 1 refused, 2 wrong usage, 3 environment.
--json prints { agentId, isNew, server, manifestVersion, manifestHash,
breaking, notes } and, with --no-run for a new agent, its token, this once.`,
  'help.bundle.argument.file': 'a manifest, a bundle’s folder, or - for standard input',
  'help.bundle.argument.bundle': 'an id, a folder (./name), a file, or an https address',
  'help.bundle.argument.folder': 'the bundle’s folder, or a manifest without files',
  'help.bundle.argument.id': 'the id of an installed bundle',
  'help.bundle.argument.skill': 'a folder with a SKILL.md',
  'help.bundle.option.workspace': 'the workspace (ROLEOS_WORKSPACE, or the one that init saved)',
  'help.bundle.option.registry': 'the registry (PARLEY_URL, the one of init, or where you signed in)',
  'help.bundle.option.target': 'the kind of workspace: openclaw or plain',
  'help.bundle.option.allow_short_digest': 'accept kits whose digest is shortened: weaker than it looks',
  'help.bundle.option.plan_digest': 'the digest that the preview showed',
  'help.bundle.option.yes': 'ask nothing; needs --plan-digest',
  'help.bundle.option.even_if_manual': 'remove it even if the bundle asks you to do it by hand',
  'help.bundle.option.into': 'the folder of the bundle that gets the kit',
  'help.bundle.option.force': 'replace a kit that is there already',
  'help.bundle.option.no_run': 'register only',
  'help.bundle.option.token_file': 'keep the agent’s token in this file (0600), and use it',
  'help.bundle.option.public': 'let everyone find the agent',

  'bundle.no_folder': 'There is no folder {file}. Make it, or name another with --workspace.',
  'bundle.interrupted': 'Interrupted. The workspace is as it was before; nothing was changed.',
  'bundle.valid': '{file} is valid: {passed} of 6 levels.',
  'bundle.valid_with': '{file} is valid: {passed} of 6 levels, with {findings}.',
  'bundle.invalid': '{file} is not valid: {passed} of 6 levels, {findings}.',
  'bundle.has_errors': 'The bundle has {errors}; nothing was changed.',

  'risk.low': 'risk low',
  'risk.medium': 'risk medium',
  'risk.high': 'risk high',
  'risk.critical': 'risk critical',
  'scope.session': 'until the session ends',
  'scope.agent': 'for the agent',
  'scope.workspace': 'for the workspace',
  'scope.global': 'for all workspaces',

  'preview.origin': 'From {registry}, published by {publisher}',
  'preview.yanked': 'Its publisher has withdrawn this version.',
  'preview.roles': 'Roles',
  'preview.kits': 'Kits',
  'preview.permissions': 'Permissions',
  'preview.routes': 'Routes',
  'preview.files': 'Files in {workspace}',
  'preview.upgrade': 'Changes since {version} (! you have to agree again)',
  'preview.missing': 'Missing',
  'preview.conflicts': 'Conflicts',
  'preview.entry': 'work starts here',
  'preview.uses': 'uses {kits}',
  'preview.boundary': 'boundary: {text}',
  'preview.runs_on': 'runs on {runtime}',
  'preview.from': 'from {source}, {digest}',
  'preview.no_permissions': 'none',
  'preview.plan': 'Plan {digest}',
  'preview.next': 'Nothing was changed. To activate exactly this:\n  {command}',
  'preview.blocked': 'Nothing was changed. It cannot be activated as it is; the reasons are listed above.',

  'routes.alone': '{entry} works alone',
  'routes.team': '{label} ({id}), starting with {entry}',
  'routes.fallbacks': 'if {source} fails, in this order: {targets}',
  'routes.unreachable': 'nobody hands over to: {ids}',
  'routes.degradation': 'when something fails: {rules}',
  'routes.escalation': 'tries before a person is asked: {count}',
  'routes.no_escalation': 'no person is asked',
  'routes.termination': 'done when: {rules}',
  'routes.condition': 'condition {condition}',
  'routes.priority': 'priority {priority}',

  'progress.fetch': 'Fetching kits',
  'progress.write': 'Writing files',
  'install.yes_needs_digest': '--yes needs --plan-digest: the digest that {roleos} preview shows.',
  'install.ask': 'Install this into {workspace}? ({risk})',
  'install.same': 'Nothing to do: {workspace} already has exactly this.',
  'install.too_late': 'It was too late to stop: the bundle is already installed.',
  'install.done': '{name} {version} is active in {workspace}.',
  'install.files': 'Files: {created} new, {modified} changed, {removed} removed. To undo it: {roleos} rollback {id}',
  'install.entry': 'Work starts with the role {role}.',

  'remove.not_installed': 'The bundle {id} is not installed in {workspace}. See what is: {roleos} status',
  'remove.done': 'Removed {id}.',
  'remove.rolled_back': '{id} is back at version {version}.',
  'remove.files': 'Files: {restored} restored, {removed} removed.',
  'remove.manual':
    'The bundle {id} has to be removed by hand. Do this, then uninstall it again (or use --even-if-manual):',
  'remove.manual_file': 'delete {path}',
  'remove.manual_block': 'delete the marked block in {path}',

  'publish.done': '{id} {version} is published at {registry}.',
  'publish.digest': 'Digest {digest}',
  'publish.next': 'Others install it with: {roleos} install {id}@{version} --registry {registry}',
  'publish.interrupted': 'Interrupted. It may have been published already; it is safe to publish it again.',

  'import.done': 'The kit {kit} is now in {file}.',
  'import.next': 'Set its riskLevel, then run: {command}',

  'init.looking': 'Looking for programs on this machine…',
  'init.runtimes': 'On this machine',
  'init.absent': 'not found',
  'init.version_unknown': 'version unknown',
  'init.ask.workspace': 'In which folder do your agents live?',
  'init.mirror_invalid': '{text} is not name=folder or name=https://…',
  'roleos.ready': 'Set up: {file}',
  'roleos.workspace': 'Workspace: {workspace} ({target})',
  'roleos.next': 'Next: {roleos} install BUNDLE, then {roleos} start',

  'control.started': 'Started in {workspace} ({time}).',
  'control.already': 'Already started in {workspace} ({time}).',
  'control.stopped': 'Stopped in {workspace}.',
  'control.not_started': 'The control layer was not running in {workspace}.',
  'control.is_started': 'Control layer: started {time}, workspace {workspace}',
  'control.is_stopped': 'Control layer: stopped, workspace {workspace}. Start it with: {roleos} start',
  'status.no_bundles': 'No bundle is installed.',
  'status.kind': 'active {scope}, as {target}; starts with {entry}',
  'status.previous': '{roleos} rollback goes back to version {version}',
  'status.drift': 'Drift: these files have changed since the installation, so the bundle must not be loaded',
  'status.due':
    '{bundle}: check the kit {kit} for an update (due since {time}). Updates are never applied automatically.',
  'recovery.undone': 'An interrupted change was undone.',
  'recovery.left': '{path} was changed in the meantime and left as it is.',
  'recovery.kept': '{path} was changed in the meantime; the original is in {original}.',

  'agent_run.created': '{name} is now an agent: {id} at {url}',
  'agent_run.updated': '{name} now has manifest version {version}: {id} at {url}',
  'agent_run.add': 'To talk to it: sign in at {url}, or use {parley} chat, and add the agent {id}.',
  'agent_run.fingerprint': 'New keys were made. Publish this fingerprint: {fingerprint}',
  'agent_run.running': 'Running. Press Ctrl-C to stop.',
  'agent_run.status': 'Connection: {status}',
  'agent_run.problem': 'Problem: {reason}',
  'agent_run.stopped': 'The agent has stopped. It stays registered.',
  'agent_run.roles': 'I am {name}. My roles: {roles}.',
  'agent_run.kits': 'My kits: {kits}.',
  'agent_run.tools': 'Write the name of a tool and its input, and I will ask your device to run it:',
  'agent_run.no_tools': 'I have no tools that you could call.',
  'agent_run.bad_arguments': '{tool}: that is not valid JSON.',
  'agent_run.result': '{tool}: {result}',
  'agent_run.refused': 'You did not allow {tool}, so it was not run.',
  'agent_run.failed': '{tool} gave no result. {reason}',
} as const;
