import { type Call, decide, type GuardState, verifyManifest } from '@parley/client/guard';
import { hashCanonical, hashManifest, type Json } from '@parley/documents';
import { type BenchRow, compareTimes, measure } from './measure.ts';
import { MANIFEST } from './tool-call-parley.ts';

const AIM_MS = 0.05;
const TEXT = { text: 'How do you do?' };

/** Compares the whole decision about one call (CG-1 to CG-7) with the check of its arguments alone. */
export function measureGuard(): BenchRow {
  const manifest = verifyManifest(MANIFEST, hashManifest(MANIFEST as unknown as Json))!;
  const call: Call = {
    callId: 'call',
    conversationId: 'conversation',
    conversationKind: 'h2a',
    agentId: 'agent',
    toolName: 'echo',
    arguments: TEXT,
    argumentsDigest: hashCanonical(TEXT),
    permissionScope: 'echo:say',
    timeoutMs: 10_000,
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
  const executor = { tool: 'echo', scope: 'echo:say', run: async () => null };
  const state: GuardState = {
    now: Date.now(),
    relation: {
      agentId: 'agent',
      conversationId: 'conversation',
      granted: new Map([['echo:say', 'low']]),
      once: new Set(['echo:say']),
      pending: new Set(),
      epochs: new Map([['echo:say', 1]]),
      identityKey: 'key',
    },
    manifest,
    announcedHash: manifest.hash,
    findExecutor: () => executor,
    windows: new Map(),
    denials: new Set(),
    questionStops: new Map(),
  };
  const { check } = manifest.tools.get('echo')!;
  if (decide(call, state).decision !== 'run') throw new Error('bench: the guard refuses');
  const times = measure({ ours: () => decide(call, state), peer: () => check(TEXT) });
  const row = compareTimes('guard of one call', 'its argument check alone', times);
  const extra = row.ours - row.peer;
  return { ...row, aim: `< ${AIM_MS} ms more`, met: extra < AIM_MS };
}
