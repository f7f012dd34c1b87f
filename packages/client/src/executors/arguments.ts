import { compileCheck, type JsonObject, readSchema, toMessage } from '@parley/documents';
import { ExecutorError } from './types.ts';

/**
 * Defines the arguments that an executor itself accepts, whatever the agent's manifest allows (CG-4 checks only the
 * manifest). Unknown arguments are refused: if they were ignored, the agent would not learn that they have no effect.
 */
export function defineArguments<Arguments>(
  properties: JsonObject,
  required: readonly string[] = [],
): (args: JsonObject) => Arguments {
  const compile = () => {
    const { root } = readSchema({ type: 'object', properties, required: [...required], additionalProperties: false });
    return compileCheck(root!);
  };
  let check: ReturnType<typeof compile> | undefined;
  return (args) => {
    check ??= compile();
    const [finding] = check(args, { maxFindings: 1 }).findings;
    if (finding === undefined) return args as Arguments;
    throw new ExecutorError(toMessage(finding, 'en').message, { code: 'TOOL_INVALID_ARGUMENTS' });
  };
}
