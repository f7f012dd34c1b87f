import type { Locale } from '@parley/base';

export const CONNECTIONS = ['websocket', 'webhook'] as const;
export type Connection = (typeof CONNECTIONS)[number];

export const MODELS = ['none', 'openai', 'anthropic'] as const;
export type Model = (typeof MODELS)[number];

/** What a project is made from. */
export interface Choices {
  /** The name of the package, and of the agent. */
  readonly name: string;
  readonly connection: Connection;
  readonly model: Model;
  /** The language of the README, the settings and what the agent says. */
  readonly locale: Locale;
}

export const DEFAULTS = { folder: 'my-agent', connection: 'websocket', model: 'none' } as const;
