import { type Executor, explainReason, formatAgentLink, parseAgentLink } from '@parley/client';
import { nodeExecutors } from '@parley/client/node';

const link = formatAgentLink({ agentId: '0192f3a4-0000-7000-8000-000000000001' });
if (parseAgentLink(link).agentId !== '0192f3a4-0000-7000-8000-000000000001') throw new Error(link);
const executors: readonly Executor[] = nodeExecutors({ environment: {}, platform: 'linux' });
if (!executors.some(({ tool }) => tool === 'fetch_url')) throw new Error('pages cannot be fetched');
if (explainReason('user_refused', 'en') === '') throw new Error('no words');
