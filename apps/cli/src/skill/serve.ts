import type { SkillDescriptor } from '@parley/documents/skill';
import { type ServeOptions as ProviderOptions, serveSkill } from '@parley/skills/provider';
import { createPostgresStore, type Listening, listen } from '@parley/skills/provider/node';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { untilInterrupted } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { refuseInvalid } from './invalid-descriptor.ts';
import { readApiKeys } from './key.ts';
import { loadSkill } from './load.ts';
import { loadHandler } from './load-handler.ts';
import { isLocal } from './source.ts';

/** It is not an option, because it may hold a password, and everyone can read a command line. */
const DATABASE_VARIABLE = 'PARLEY_SKILLS_DATABASE_URL';
const DEFAULT_PORT = 8790;

export interface ServeOptions {
  readonly handler: string;
  readonly port?: string;
  readonly host: string;
  readonly keys?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly jwks?: string;
  readonly scope?: readonly string[];
  readonly perMinute?: string;
  readonly json?: boolean;
}

/** Serves a skill until Ctrl-C (SI-5). */
export async function serveFile(file: string, options: ServeOptions, words: Words): Promise<CommandResult> {
  const loaded = await loadSkill(file, { development: true, locale: words.locale });
  if (loaded.descriptor === undefined) return refuseInvalid(loaded, words);
  const { descriptor } = loaded;
  const port = readPort(options.port, descriptor);
  const handler = await loadHandler(options.handler);
  const settings = await readSettings(options, words);
  const skill = await serveSkill(descriptor, handler, settings).catch((error: unknown) => {
    throw explainStart(error);
  });
  const listening = await listen(skill, { port, host: options.host }).catch(async (error: unknown) => {
    await skill.close();
    throw explainStart(error);
  });
  return runUntilStopped(listening, { descriptor, options, words });
}

interface Served {
  readonly descriptor: SkillDescriptor;
  readonly options: ServeOptions;
  readonly words: Words;
}

async function runUntilStopped({ url, close }: Listening, { descriptor, options, words }: Served): Promise<never> {
  const durable = Boolean(process.env[DATABASE_VARIABLE]);
  const facts = { url, id: descriptor.id, durable };
  if (options.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else {
    await show(process.stdout, (paint) => {
      const kept = words.say(durable ? 'skill.kept_durably' : 'skill.kept_in_memory', { variable: DATABASE_VARIABLE });
      return `${paint('green', '✓')} ${words.say('skill.serving', { id: descriptor.id, url })}\n${paint('dim', kept)}\n`;
    });
  }
  await untilInterrupted();
  await close();
  if (!options.json) await show(process.stdout, () => `${words.say('skill.stopped')}\n`);
  // A handler that ignores its signal may still keep the process alive.
  process.exit(EXIT.fine);
}

async function readSettings(options: ServeOptions, words: Words): Promise<ProviderOptions> {
  const { keys, issuer, audience, jwks, scope = [], perMinute } = options;
  const url = process.env[DATABASE_VARIABLE];
  const apiKeys = keys === undefined ? undefined : await readApiKeys(keys);
  const isOAuth2 = issuer !== undefined && audience !== undefined && jwks !== undefined;
  // Logs the error's own message, never the inputs of a caller.
  const onError = (error: unknown, executionId = '') => {
    const reason = error instanceof Error ? error.message : String(error);
    void show(
      process.stderr,
      (paint) => `${paint('yellow', words.say('skill.trouble', { id: executionId, reason }))}\n`,
    );
  };
  return {
    onError,
    ...(apiKeys === undefined ? {} : { apiKeys }),
    ...(isOAuth2 ? { oauth2: { issuer, audience, jwks, scopes: scope } } : {}),
    ...(perMinute === undefined ? {} : { callsPerMinute: readCount(perMinute) }),
    ...(url ? { store: createPostgresStore({ url, onError }) } : {}),
  };
}

function readPort(text: string | undefined, { endpoint }: SkillDescriptor): number {
  if (text !== undefined) return readCount(text, 65_535);
  const { port } = new URL(endpoint.url);
  return isLocal(endpoint.url) && port !== '' ? Number(port) : DEFAULT_PORT;
}

function readCount(text: string, max = 1_000_000): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new CommandError('USAGE', { sentences: [{ key: 'skill.number_form', params: { value: text, max } }] });
}

function explainStart(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof TypeError && message.startsWith('serveSkill: ')) {
    return new CommandError('AUTH_UNCONFIGURED', { params: { reason: message } });
  }
  if (code === undefined) return error;
  return new CommandError('CANNOT_SERVE', { params: { reason: code } });
}
