/** `parley skill …`. */
export const skillEn = {
  'help.skill': 'Write, check, publish, find, invoke and serve skills',
  'help.skill.more': `A skill is described by a JSON file: its inputs and output, where it is invoked
and who may invoke it.

Examples:
  parley skill init --handler handler.js
  parley skill validate skill.json --development
  parley skill serve skill.json --handler handler.js
  parley skill invoke skill.json --input text="How many words?" --development`,
  'help.skill.init': 'Write a new descriptor, and a handler for it if asked',
  'help.skill.init.more': `Examples:
  parley skill init --handler handler.js
  parley skill init translate.json --id com.example.translate --origin https://api.example.com`,
  'help.skill.validate': 'Check descriptors and list everything that is wrong',
  'help.skill.validate.more': `With --json: { valid, violations: [{ field, expected, actual, message }], warnings }.
Exit codes: 0 valid, 1 not valid, 3 a file cannot be read.`,
  'help.skill.publish': 'Publish a version at a registry, in a namespace of yours',
  'help.skill.publish.more': `A published version never changes; a breaking change needs a new major version.
Sign in first: parley login

Examples:
  parley skill publish skill.json --claim com.example
  parley skill publish skill.json --url https://parley.example.com`,
  'help.skill.search': 'Find skills at a registry',
  'help.skill.search.more': `Examples:
  parley skill search translate --type api
  parley skill search --mine`,
  'help.skill.show': 'Show a descriptor: from a file, an address, or by its id at a registry',
  'help.skill.show.more': `Examples:
  parley skill show com.example.translate --at 2.1.0
  parley skill show https://api.example.com/skills/com.example.translate --json`,
  'help.skill.invoke': 'Invoke a skill and show its progress and retries',
  'help.skill.invoke.more': `Credentials come from the keyring (parley skill login) or from the environment
variable PARLEY_SKILL_CREDENTIALS, never from arguments. Ctrl-C cancels.

Examples:
  parley skill invoke com.example.translate -i text=Hello -i target_language=zh
  echo '{"text":"Hello"}' | parley skill invoke skill.json --inputs - --json`,
  'help.skill.login': 'Keep an API key for an origin, or get OAuth 2.0 tokens for a skill',
  'help.skill.login.more': `You type the key unseen. It is saved in a file that only you can read.

Examples:
  parley skill login https://api.example.com
  parley skill login https://api.example.com --parameter X-Tenant
  parley skill login com.example.translate --client-id my-app`,
  'help.skill.logout': 'Forget what is kept for an origin',
  'help.skill.serve': 'Serve a skill from a descriptor and a module with a handler',
  'help.skill.serve.more': `The module’s default export is called with the inputs; what it returns is the
output. Executions are kept in memory, or in Postgres if
PARLEY_SKILLS_DATABASE_URL says where; there they survive a restart.

Examples:
  parley skill serve skill.json --handler handler.js
  parley skill serve skill.json --handler handler.js --keys skill-keys.json`,
  'help.skill.key': 'Make an API key for a caller of a skill that you serve',
  'help.skill.key.more': `The key is printed once; the file holds its hash.

Example:
  parley skill key alice --keys skill-keys.json`,
  'help.skill.argument.target': 'where to write it (skill.json), - for standard output',
  'help.skill.argument.files': 'descriptors; none or - for standard input',
  'help.skill.argument.file': 'the descriptor',
  'help.skill.argument.words': 'what to look for',
  'help.skill.argument.source': 'a file, an address (https://…) or an id',
  'help.skill.argument.origin': 'such as https://api.example.com; with --client-id a skill',
  'help.skill.argument.caller': 'a name for whoever gets the key',
  'help.skill.option.id': 'its id, in a namespace of yours',
  'help.skill.option.origin': 'where it will be served',
  'help.skill.option.new_handler': 'also write a handler to this file',
  'help.skill.option.development': 'allow addresses of this machine, also without TLS',
  'help.skill.option.claim': 'claim this namespace first',
  'help.skill.option.type': 'plugin, api, knowledge or task',
  'help.skill.option.tag': 'with this tag',
  'help.skill.option.provider': 'of this provider',
  'help.skill.option.mine': 'only your own',
  'help.skill.option.limit': 'how many, 1 to 100',
  'help.skill.option.cursor': 'continue after a page',
  'help.skill.option.at': 'this version instead of the newest',
  'help.skill.option.input': 'an input; again for each',
  'help.skill.option.inputs': 'all inputs as JSON, - for standard input',
  'help.skill.option.output': 'write the output to this file',
  'help.skill.option.timeout': 'give up after so many milliseconds',
  'help.skill.option.key_stdin': 'read the key from the first line of standard input',
  'help.skill.option.parameter': 'the name of a parameter that custom authentication lists',
  'help.skill.option.client_id': 'OAuth 2.0: the id of your client',
  'help.skill.option.handler': 'a JavaScript module with a default export',
  'help.skill.option.port': 'as in the endpoint if that is on this machine, else 8790',
  'help.skill.option.host': 'the address to listen on',
  'help.skill.option.keys': 'the file with the API keys’ hashes',
  'help.skill.option.issuer': 'OAuth 2.0: who issues the tokens',
  'help.skill.option.audience': 'OAuth 2.0: whom they must be meant for',
  'help.skill.option.jwks': 'OAuth 2.0: where the issuer’s keys are',
  'help.skill.option.scope': 'OAuth 2.0: a scope that is needed; again for each',
  'help.skill.option.per_minute': 'invocations a minute and caller (120)',

  'skill.invalid': '{file} is not a valid skill descriptor.',
  'skill.invalid_see': '{file} is not a valid skill descriptor. See: {parley} skill validate {file}',
  'skill.written': 'Wrote {file}.',
  'skill.next': `Next: {parley} skill validate {file} --development
      {parley} skill serve {file} --handler {handler}`,
  'skill.published': 'Published {id} {version} at {url}.',
  'skill.none': 'No skill was found.',
  'skill.more': 'There are more: --cursor {cursor}',
  'skill.type.plugin': 'plugin',
  'skill.type.api': 'API',
  'skill.type.knowledge': 'knowledge',
  'skill.type.task': 'task',
  'skill.access.public': 'public',
  'skill.access.restricted': 'restricted',
  'skill.access.private': 'private',
  'skill.provider': 'Provider',
  'skill.endpoint': 'Endpoint',
  'skill.inputs': 'Inputs',
  'skill.no_inputs': 'It takes no inputs.',
  'skill.required': 'required',
  'skill.optional': 'optional',
  'skill.output': 'Output',
  'skill.failed': '{text} [{code}]',
  'skill.provider_says': 'The provider says: {text}',
  'skill.violation': '{field}: {text}',
  'skill.network': '{text}',
  'skill.login_first': 'Give credentials with: {parley} skill login {origin}',
  'skill.development': 'To reach a skill on this machine, add --development.',
  'skill.parameter_first': 'Give it with: {parley} skill login {origin} --parameter {name}',
  'skill.parameter_in_url': 'The skill wants {name} in its address, but Parley never puts credentials there.',
  'skill.ask.key': 'API key',
  'skill.ask.parameter': 'Value of the parameter',
  'skill.key_kept': 'Saved the key for {origin}.',
  'skill.parameter_kept': 'Saved the parameter for {origin}.',
  'skill.open': 'Open this address in a browser:\n{url}',
  'skill.authorised': 'Saved the tokens for {origin}.',
  'skill.forgotten': 'Nothing is saved for {origin} any more.',
  'skill.interrupted': 'Cancelled.',
  'skill.output_written': 'Wrote {file}.',
  'skill.output_bytes': 'The output has {bytes} bytes. Write it to a file with --output.',
  'skill.retry': 'Attempt {attempt} of {max} failed: {code}. Trying again in {seconds} s.',
  'skill.cancelling': 'Cancelling…',
  'skill.status.accepted': 'accepted',
  'skill.status.running': 'running',
  'skill.status.completed': 'completed',
  'skill.status.failed': 'failed',
  'skill.status.cancelled': 'cancelled',
  'skill.input_form': '{input}: write an input as name=value.',
  'skill.timeout_form': '{value}: the timeout is 1 to 600000 milliseconds.',
  'skill.key_made': 'A key for {caller}, whose hash is in {file}. It is not shown again:',
  'skill.serving': 'Serving {id} at {url}. Press Ctrl-C to stop.',
  'skill.kept_in_memory': 'Executions are kept in memory. Set {variable} to keep them in Postgres.',
  'skill.kept_durably': 'Executions are kept in Postgres ({variable}).',
  'skill.stopped': 'Stopped.',
  'skill.trouble': 'Execution {id}: {reason}',
  'skill.number_form': '{value}: a whole number up to {max} is needed.',
} as const;
