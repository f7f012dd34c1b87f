/**
 * The id of the platform's own agent (SA-1), the same on every server and given to no other agent. Devices know it by
 * this id only: anything else that calls itself Hashee gets none of its reserved scopes (CM-10).
 */
export const SYSTEM_AGENT_ID = '00000000-0000-7000-8000-000000000002';
