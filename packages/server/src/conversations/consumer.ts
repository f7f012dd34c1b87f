import { type Caller, requireHuman } from '../http/caller.ts';

/** A recipient of messages: a device of a person, a person's session without a device, or an agent. */
export interface Consumer {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  readonly deviceId?: string;
}

export function consumerOf(caller: Caller): Consumer {
  if (caller.kind === 'agent') return { kind: 'agent', id: caller.agentId };
  const { accountId, deviceId } = requireHuman(caller);
  return deviceId === undefined ? { kind: 'human', id: accountId } : { kind: 'human', id: accountId, deviceId };
}
