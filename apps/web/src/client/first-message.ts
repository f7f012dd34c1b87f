import { createObservable, type Readable } from '@parley/base';

/** What someone chose to try with an agent, while they decide what it may do. */
export interface FirstMessage {
  readonly agentId: string;
  readonly text: string;
  /** The permission without which it does not work. */
  readonly scope: string | undefined;
}

const chosen = createObservable<FirstMessage | undefined>(undefined);

export const firstMessage: Readable<FirstMessage | undefined> = chosen;

export const chooseFirstMessage = (message: FirstMessage): void => chosen.set(message);

export const forgetFirstMessage = (): void => chosen.set(undefined);

/** Returns it once, for its agent. */
export function takeFirstMessage(agentId: string): string | undefined {
  const message = chosen.getSnapshot();
  if (message?.agentId !== agentId) return undefined;
  chosen.set(undefined);
  return message.text;
}
