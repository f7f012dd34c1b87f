import type { Json } from '@parley/documents';
import { PROTOCOL_VERSION, type SkillDescriptor } from '@parley/documents/skill';
import type { CommandResult } from '../command-result.ts';
import { compactJson } from '../compact-json.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';

export interface InitOptions {
  readonly id: string;
  readonly origin: string;
  readonly handler?: string;
  readonly force?: boolean;
}

const COLUMNS = 80;

const HANDLER = `/** The inputs fit the descriptor; what is returned is checked against its output. */
export default async function handle({ text }, { progress }) {
  progress(0.5, 'counting');
  return { words: text.split(/\\s+/u).filter(Boolean).length };
}
`;

/** Writes a first descriptor, which can be served as it is. */
export async function initSkill(file = 'skill.json', options: InitOptions, words: Words): Promise<CommandResult> {
  const { handler, force = false } = options;
  const descriptor = writeStarter(options);
  const text = `${compactJson(descriptor as unknown as Json, COLUMNS)}\n`;
  if (file === STDIN) return { exit: EXIT.fine, json: descriptor, text: () => text };
  refuseExisting(file, force);
  if (handler !== undefined) refuseExisting(handler, force);
  writeFileAtomically(file, text, force);
  if (handler !== undefined) writeFileAtomically(handler, HANDLER, force);
  const shown = { file: displayName(file), handler: displayName(handler ?? 'handler.js') };
  return {
    exit: EXIT.fine,
    json: { file, ...(handler === undefined ? {} : { handler }) },
    text: (paint) => `${paint('green', '✓')} ${words.say('skill.written', shown)}\n${words.say('skill.next', shown)}\n`,
  };
}

function writeStarter({ id, origin }: InitOptions): SkillDescriptor {
  const base = `${origin.replace(/\/$/, '')}/skills/${id}`;
  return {
    protocol: { version: PROTOCOL_VERSION },
    id,
    name: 'Word count',
    version: '1.0.0',
    capability_type: 'api',
    description: 'Counts the words of a text.',
    provider: { name: 'You' },
    endpoint: {
      url: `${base}/invoke`,
      status_url: `${base}/status/{execution_id}`,
      result_url: `${base}/result/{execution_id}`,
      timeout_ms: 30_000,
    },
    inputs: [{ name: 'text', type: 'string', description: 'The text', required: true, schema: { maxLength: 100_000 } }],
    output: {
      content_type: 'application/json',
      schema: { type: 'object', properties: { words: { type: 'integer', minimum: 0 } }, required: ['words'] },
    },
    auth: { type: 'none' },
    access: 'public',
  };
}
