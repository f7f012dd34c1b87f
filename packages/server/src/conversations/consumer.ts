import { accountOf, type Caller, requireHuman } from '../http/caller.ts';

/** A recipient of messages: a device of a person, a person's session without a device, or an agent. */
export interface Consumer {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  readonly deviceId?: string;
  /** In whose turns its reads and acknowledgements are (OP-3): an agent's owner, or the person. */
  readonly account: string;
}

export function consumerOf(caller: Caller): Consumer {
  if (caller.kind === 'agent') return { kind: 'agent', id: caller.agentId, account: accountOf(caller) };
  const { accountId, deviceId } = requireHuman(caller);
  const person = { kind: 'human' as const, id: accountId, account: accountId };
  return deviceId === undefined ? person : { ...person, deviceId };
}

/** The same for all sockets and polls of one consumer. */
export function keyOfConsumer({ kind, id, deviceId = '' }: Consumer): string {
  return `${kind} ${id} ${deviceId}`;
}
