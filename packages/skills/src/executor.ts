import type { Locale } from '@parley/base';
import type { Json, JsonObject, Sensitivity } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { SkillClient } from './client.ts';
import type { InvokeOptions } from './invoke/invoke.ts';
import { SkillError, type SkillErrorCode } from './skill-error.ts';

type Code = 'TOOL_PLATFORM_ERROR' | 'TOOL_INVALID_ARGUMENTS' | 'TOOL_UNAVAILABLE' | 'tool_timeout';

export interface SkillExecutorOptions {
  /** As the agent's manifest names it. */
  readonly tool: string;
  readonly scope: string;
  readonly client: Pick<SkillClient, 'invoke'>;
  readonly invoke?: Pick<InvokeOptions, 'credentials' | 'sign' | 'caller'>;
  /** No manifest can make it less sensitive: `medium` by default, because arguments leave the device. */
  readonly sensitivity?: Sensitivity;
  /** The device's own error for what an agent may read: `ExecutorError` of @parley/client. */
  readonly ExecutorError: new (
    message: string,
    options: { code: Code; cause?: unknown },
  ) => Error;
}

/** An executor of @parley/client, by its shape. */
export interface SkillExecutor {
  readonly tool: string;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  run(args: JsonObject, context: { readonly signal: AbortSignal; readonly locale: Locale }): Promise<Json>;
  privacyNote(args: JsonObject, locale: Locale): string;
  describe(args: JsonObject, locale: Locale): { readonly wants: string; readonly act: string };
}

const CODES: Partial<Record<SkillErrorCode, Code>> = {
  VALIDATION_ERROR: 'TOOL_INVALID_ARGUMENTS',
  AUTH_REQUIRED: 'TOOL_UNAVAILABLE',
  PERMISSION_DENIED: 'TOOL_UNAVAILABLE',
  SKILL_NOT_FOUND: 'TOOL_UNAVAILABLE',
  ADDRESS_BLOCKED: 'TOOL_UNAVAILABLE',
  EXECUTION_TIMEOUT: 'tool_timeout',
};

/** A skill as a tool on a person's device: the guard decides, their credentials stay here, the agent gets the output. */
export function skillExecutor(descriptor: SkillDescriptor, options: SkillExecutorOptions): SkillExecutor {
  const { tool, scope, client, invoke = {}, sensitivity = 'medium', ExecutorError } = options;
  const { host } = new URL(descriptor.endpoint.url);
  return {
    tool,
    scope,
    sensitivity,
    run: async (args, { signal }) => {
      try {
        const { output } = await client.invoke(descriptor, args, { ...invoke, signal });
        if (output instanceof Uint8Array) return Buffer.from(output).toString('base64');
        return output;
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        // The sentence of the code alone: what the provider says may be about the person's account.
        const code = CODES[error.code] ?? 'TOOL_PLATFORM_ERROR';
        throw new ExecutorError(error.explain('en'), { code, cause: error });
      }
    },
    privacyNote: (_args, locale) =>
      locale === 'zh-CN' ? `参数会发送到 ${host}。` : `The arguments are sent to ${host}.`,
    describe: (_args, locale) =>
      locale === 'zh-CN'
        ? { wants: `使用 ${host} 的服务`, act: '使用该服务' }
        : { wants: `use a service of ${host}`, act: 'use it' },
  };
}
