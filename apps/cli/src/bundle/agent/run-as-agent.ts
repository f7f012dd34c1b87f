import type { Manifest } from '@parley/documents';
import { type Bundle, projectToManifest } from '@parley/documents/bundle';
import type { Api } from '@parley/messenger';
import { openAccountApi } from '../../account/api.ts';
import { chooseServer } from '../../account/server-url.ts';
import { prepareTokenFile } from '../../agent/keep-token.ts';
import { CommandError } from '../../command-error.ts';
import type { CommandResult } from '../../command-result.ts';
import { displayName, displaySentence } from '../../display.ts';
import { EXIT } from '../../exit-code.ts';
import type { Words } from '../../messages/index.ts';
import { show } from '../../print.ts';
import { findRoot } from '../remove.ts';
import { readInstalled } from './installed.ts';
import { type Registration, register } from './register.ts';
import { obtainToken } from './token.ts';

export interface RunOptions {
  readonly workspace?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly public?: boolean;
  readonly run: boolean;
}

const PROGRAM = 'parley';

/** Runs an installed bundle as an agent (BA-7). Its calls pass the guard of each person's device like those of any agent. */
export async function runAsAgent(bundleId: string, options: RunOptions, words: Words): Promise<CommandResult> {
  const { workspace, tokenFile } = options;
  const root = await findRoot(bundleId, workspace === undefined ? {} : { workspace });
  const bundle = await readInstalled(root, bundleId);
  const { manifest, notes } = project(bundle, words);
  const api = openAccountApi(chooseServer(options.url), PROGRAM);
  const start = async () => {
    const registration = await register(api, { bundle, manifest, isPublic: options.public === true });
    return { registration, outcome: describe(registration, { bundle, api, notes, words }) };
  };
  if (!options.run) return withToken(start, tokenFile, words);
  const { registration, outcome } = await start();
  await show(process.stderr, outcome.text);
  const token = await obtainToken(api, registration, tokenFile);
  // It is loaded only here, because registering needs no keys and no socket.
  const { serve } = await import('./serve.ts');
  await serve({ bundle, manifest, token, baseUrl: api.baseUrl, agentId: registration.agentId }, words);
  return { ...outcome, text: () => `${words.say('agent_run.stopped')}\n` };
}

function project(bundle: Bundle, { locale }: Words): { manifest: Manifest; notes: string[] } {
  const { validation, notes } = projectToManifest(bundle, { locale });
  if (validation.manifest === undefined) {
    throw new CommandError('PROJECTION_INVALID', { params: { id: bundle.id } });
  }
  return { manifest: validation.manifest, notes: notes.map(({ message }) => message) };
}

interface Described {
  readonly bundle: Bundle;
  readonly api: Api;
  readonly notes: readonly string[];
  readonly words: Words;
}

function describe(registration: Registration, { bundle, api, notes, words }: Described): CommandResult {
  const { agentId, isNew, manifestVersion, manifestHash, breaking } = registration;
  const params = {
    name: displayName(bundle.name),
    id: displayName(agentId),
    url: api.baseUrl,
    version: manifestVersion,
  };
  return {
    exit: EXIT.fine,
    json: { agentId, isNew, server: api.baseUrl, manifestVersion, manifestHash, breaking, notes },
    text: (paint) =>
      [
        `${paint('green', '✓')} ${words.say(isNew ? 'agent_run.created' : 'agent_run.updated', params)}`,
        ...notes.map((note) => `  ${displaySentence(note)}`),
        ...breaking.map((message) => `  ${paint('red', `! ${displaySentence(message)}`)}`),
        `  ${words.say('agent_run.add', params)}`,
        '',
      ].join('\n'),
  };
}

/** Keeps the token of a new agent for later. */
async function withToken(
  start: () => Promise<{ registration: Registration; outcome: CommandResult }>,
  file: string | undefined,
  words: Words,
): Promise<CommandResult> {
  const place = prepareTokenFile(file, words);
  try {
    const { registration, outcome } = await start();
    if (registration.token === undefined) return outcome;
    const kept = place.keep(registration.token);
    return {
      ...outcome,
      json: { ...(outcome.json as object), ...kept.json },
      text: (paint) => outcome.text(paint) + kept.text(paint),
    };
  } finally {
    place.discard();
  }
}
