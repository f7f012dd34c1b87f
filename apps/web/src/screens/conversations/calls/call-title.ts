import type { RelationView } from '@parley/client';
import { displayText } from '@parley/documents';
import type { ToolCall } from '@parley/protocol';
import { useDevice } from '../../../client/provider.tsx';
import { currentLocale } from '../../../i18n/index.ts';

/**
 * Says in a few words what the call does, as the question about it does (WC-12). What an agent chose to say of its own tool
 * is never more than its own words.
 */
export function useCallTitle(call: ToolCall, { agentId, relation }: Caller): string {
  const described = useDevice().describeCall(call, { agentId, locale: currentLocale() });
  if (described !== undefined) return `${described.wants[0]!.toUpperCase()}${described.wants.slice(1)}`;
  const { tool_name: tool } = call;
  return relation?.toolTexts.get(displayText(tool)) ?? displayText(tool, 64);
}

interface Caller {
  readonly agentId: string;
  readonly relation: RelationView | undefined;
}
