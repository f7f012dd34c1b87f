import type { JsonObject } from '@parley/documents';
import { type Api, ApiError } from '@parley/messenger';
import { agentRoutes, type ReplyOf, SYSTEM_AGENT_ID } from '@parley/protocol';
import { type ExecutionContext, type Executor, ExecutorError } from '../types.ts';

/** A secret that was just made, for the person in front of this device and nobody else. */
export interface NewSecret {
  readonly kind: 'agent_token' | 'webhook_secret';
  readonly agentId: string;
  readonly agentName: string;
  readonly secret: string;
}

export interface HasheeDeps {
  /** Signed in as the person of this device. */
  readonly api: Pick<Api, 'call'>;
  readonly accountId: string;
  /** Shows the secret once; it is neither stored nor sent to anyone. */
  showSecret(secret: NewSecret): void;
}

/** Tools of the platform's own agent, and of no other (SA-2, CM-10). */
export function forHashee(executor: Omit<Executor, 'agentId'>): Executor {
  const run = async (args: JsonObject, context: ExecutionContext) => {
    try {
      return await executor.run(args, context);
    } catch (error) {
      // The server's message names no secret (TR-7).
      throw error instanceof ApiError ? new ExecutorError(error.message, { cause: error }) : error;
    }
  };
  return { ...executor, run, agentId: SYSTEM_AGENT_ID };
}

export type Agent = ReplyOf<typeof agentRoutes.readAgent>;

/** An agent of someone else is answered as if it did not exist, public or not. */
const NOT_YOURS = 'You have no agent with this id.';
const RENAMED = 'The agent with this id has another name. Look for it again.';

export async function readOwnAgent({ api, accountId }: HasheeDeps, agentId: string): Promise<Agent> {
  const params = { agent_id: agentId };
  const agent = await api.call(agentRoutes.readAgent, { params }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? new ExecutorError(NOT_YOURS) : error;
  });
  if (agent.owner.user_id !== accountId) throw new ExecutorError(NOT_YOURS);
  return agent;
}

/** Only the agent that the prompt named is changed: an id alone tells a person nothing. */
export async function readNamedAgent(
  deps: HasheeDeps,
  { agent_id: id, agent_name: name }: { readonly agent_id: string; readonly agent_name: string },
): Promise<Agent> {
  const agent = await readOwnAgent(deps, id);
  if (agent.name !== name) throw new ExecutorError(RENAMED);
  return agent;
}

export const AGENT_ID = { type: 'string', maxLength: 64 };
export const NAMED = { agent_id: AGENT_ID, agent_name: { type: 'string', maxLength: 64 } };
