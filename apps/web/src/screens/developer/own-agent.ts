import type { agentRoutes, ReplyOf } from '@parley/protocol';

/** An agent of the person who is signed in, as the server describes it. */
export type OwnAgent = ReplyOf<typeof agentRoutes.readAgent>;
