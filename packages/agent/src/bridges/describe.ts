import type { Locale } from '@parley/base';
import {
  effectiveSensitivity,
  type JsonObject,
  type Manifest,
  readSchema,
  type Tool,
  toolText,
} from '@parley/documents';

export interface ToolChoice {
  /** The language of the descriptions that the model reads; English by default. */
  readonly locale?: Locale | undefined;
  /** If set, only these tools are described. */
  readonly only?: readonly string[] | undefined;
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

const CONSENT: Readonly<Record<'low' | 'medium' | 'high', Readonly<Record<Locale, string>>>> = {
  low: { en: 'Runs on the user’s device.', 'zh-CN': '在用户的设备上运行。' },
  medium: {
    en: 'Runs on the user’s device; the user may be asked and may refuse.',
    'zh-CN': '在用户的设备上运行；可能会询问用户，用户可以拒绝。',
  },
  high: {
    en: 'Runs on the user’s device; the user is asked every time and may refuse.',
    'zh-CN': '在用户的设备上运行；每次都会询问用户，用户可以拒绝。',
  },
};

const FULL_STOP = { en: '.', 'zh-CN': '。' } as const satisfies Record<Locale, string>;

/**
 * Describes each tool to the model (SK-4). It says that a person decides, so that the model neither repeats calls nor
 * gives up.
 */
export function describeTools(manifest: Manifest, { locale = 'en', only }: ToolChoice = {}): Described[] {
  const chosen = only === undefined ? manifest.tools : manifest.tools.filter(({ name }) => only.includes(name));
  return chosen.map((tool) => {
    const level = levelOf(manifest, tool);
    const text = toolText(tool, locale);
    const sentence = /[.!?。！？]$/.test(text) ? text : `${text}${FULL_STOP[locale]}`;
    return {
      name: tool.name,
      description: [sentence, CONSENT[level][locale]].join(locale === 'en' ? ' ' : ''),
      parameters: toParameters(tool.input_schema),
    };
  });
}

function levelOf(manifest: Manifest, tool: Tool): 'low' | 'medium' | 'high' {
  const scope = manifest.permission_scopes.find(({ id }) => id === tool.permission_scope);
  return scope === undefined ? 'high' : effectiveSensitivity(scope);
}

/**
 * Returns a copy, because the libraries change what they are given, in the 2020-12 dialect. Some models require
 * `properties` in every object schema.
 */
function toParameters(schema: JsonObject): Record<string, unknown> {
  const { $schema: _, ...rest } = readSchema(schema).schema as JsonObject;
  return structuredClone({ properties: {}, ...rest });
}
