/**
 * The platform's own agent (SA-1), the same on every server, which gives this id to no other. Devices know it by nothing
 * else: whatever calls itself Hashee under another id gets none of the scopes that are reserved for it (CM-10).
 */
export const SYSTEM_AGENT_ID = '00000000-0000-7000-8000-000000000002';
