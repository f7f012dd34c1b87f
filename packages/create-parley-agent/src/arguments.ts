import { parseArgs } from 'node:util';
import { LOCALES, type Locale } from '@parley/base';
import { CONNECTIONS, type Connection, MODELS, type Model } from './choices.ts';
import { createError } from './errors.ts';

const OPTIONS = {
  connection: { type: 'string' },
  model: { type: 'string' },
  locale: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export interface Arguments {
  /** A name, or a path that ends with it. */
  readonly folder: string | undefined;
  readonly connection: Connection | undefined;
  readonly model: Model | undefined;
  readonly locale: Locale | undefined;
  /** Takes the default for whatever was not given, and asks nothing. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** Every option is read by hand, because `parseArgs` explains what is wrong in English only. */
export function readArguments(argv: readonly string[]): Arguments {
  const { tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string | undefined>();
  const folders: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') folders.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName: option, value } = token;
    if (!isOption(name)) throw createError('OPTION_UNKNOWN', { params: { option } });
    const isFlag = OPTIONS[name].type === 'boolean';
    if (isFlag && value !== undefined) throw createError('OPTION_WITHOUT_VALUE', { params: { option } });
    given.set(name, value);
  }
  if (folders.length > 1) throw createError('FOLDER_TWICE');
  return {
    folder: folders[0],
    connection: choose('connection', CONNECTIONS, given),
    model: choose('model', MODELS, given),
    locale: choose('locale', LOCALES, given),
    yes: given.has('yes'),
    json: given.has('json'),
    help: given.has('help'),
    version: given.has('version'),
  };
}

const isOption = (name: string): name is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, name);

function choose<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  given: ReadonlyMap<string, string | undefined>,
): Choice | undefined {
  if (!given.has(name)) return undefined;
  const found = choices.find((choice) => choice === given.get(name));
  if (found !== undefined) return found;
  throw createError('OPTION_INVALID', { params: { option: `--${name}`, choices: choices.join(', ') } });
}
