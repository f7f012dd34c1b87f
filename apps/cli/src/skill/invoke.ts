import { writeFileSync } from 'node:fs';
import { type Json, type JsonObject, parseJson } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { ProgressEvent } from '@parley/skills';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { compactJson } from '../compact-json.ts';
import { displaySentence } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { readInput } from '../input.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { explainSkill } from './explain.ts';
import { openCredentials } from './keyring.ts';
import { createClient, readSource, type SourceOptions } from './source.ts';

export interface InvokeOptions extends SourceOptions {
  /** One input as `name=value`; the option can be repeated. */
  readonly input?: readonly string[];
  /** All inputs as JSON. */
  readonly inputs?: string;
  readonly output?: string;
  readonly timeout?: string;
}

/** Invokes a skill and shows progress and retries as they happen (SI-1 to SI-3). */
export async function invokeSkill(source: string, options: InvokeOptions, words: Words): Promise<CommandResult> {
  const timeout = options.timeout === undefined ? undefined : readTimeout(options.timeout);
  const descriptor = await readSource(source, options, words);
  const inputs = await readInputs(descriptor, options);
  const tell = (event: ProgressEvent) => {
    // Progress goes to standard error even with --json, because standard output is only for the result.
    void show(process.stderr, (paint) => `${paint('dim', describeEvent(event, words))}\n`);
  };
  try {
    const { output, executionId } = await withInterrupt('skill.interrupted', (signal) =>
      createClient(options).invoke(descriptor, inputs, {
        credentials: openCredentials(),
        signal,
        onProgress: tell,
        ...(timeout === undefined ? {} : { context: { timeout_ms: timeout } }),
      }),
    );
    return answer(output, executionId, options, words);
  } catch (error) {
    throw explainSkill(error, words);
  }
}

function answer(
  output: Json | Uint8Array,
  executionId: string | undefined,
  { output: file }: InvokeOptions,
  words: Words,
) {
  const id = executionId === undefined ? {} : { execution_id: executionId };
  if (file !== undefined) {
    writeFileSync(file, output instanceof Uint8Array ? output : `${JSON.stringify(output, null, 2)}\n`);
    return {
      exit: EXIT.fine,
      json: { ...id, file },
      text: () => `${words.say('skill.output_written', { file })}\n`,
    } satisfies CommandResult;
  }
  const json = output instanceof Uint8Array ? { output_base64: Buffer.from(output).toString('base64') } : { output };
  return {
    exit: EXIT.fine,
    json: { ...json, ...id },
    text: () => `${formatOutput(output, words)}\n`,
  } satisfies CommandResult;
}

function formatOutput(output: Json | Uint8Array, words: Words): string {
  if (output instanceof Uint8Array) return words.say('skill.output_bytes', { bytes: output.byteLength });
  const text = typeof output === 'string' ? output : compactJson(output, 80);
  return text.split('\n').map(displaySentence).join('\n');
}

function describeEvent(event: ProgressEvent, words: Words): string {
  switch (event.type) {
    case 'retry': {
      const { attempt, maxAttempts, code, delayMs } = event;
      return words.say('skill.retry', { attempt, max: maxAttempts, code, seconds: (delayMs / 1_000).toFixed(1) });
    }
    case 'state': {
      const { status, progress, message } = event;
      const percent = progress === undefined ? '' : ` ${Math.round(Math.min(1, Math.max(0, progress)) * 100)} %`;
      return `${words.say(`skill.status.${status}`)}${percent}${message === undefined ? '' : `  ${displaySentence(message)}`}`;
    }
    case 'cancelling':
      return words.say('skill.cancelling');
  }
}

async function readInputs(
  descriptor: SkillDescriptor,
  { input = [], inputs: file }: InvokeOptions,
): Promise<JsonObject> {
  const given = file === undefined ? {} : await readJsonObject(file);
  const entries = input.map((pair): [string, Json] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandError('USAGE', { sentences: [{ key: 'skill.input_form', params: { input: pair } }] });
    const name = pair.slice(0, at);
    const known = descriptor.inputs.find((parameter) => parameter.name === name);
    return [name, toValue(pair.slice(at + 1), known?.type ?? 'string')];
  });
  return Object.fromEntries([...Object.entries(given), ...entries]);
}

/** Strings are taken as typed, other types are parsed as JSON. The skill's schema refuses everything else. */
function toValue(text: string, type: SkillDescriptor['inputs'][number]['type']): Json {
  if (type === 'string') return text;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

async function readJsonObject(file: string): Promise<JsonObject> {
  const parsed = parseJson(await readInput(file));
  if (parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)) {
    return parsed.value as JsonObject;
  }
  throw new CommandError('INPUT_INVALID', { params: { file } });
}

function readTimeout(text: string): number {
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= 600_000) return ms;
  throw new CommandError('USAGE', { sentences: [{ key: 'skill.timeout_form', params: { value: text } }] });
}
