import { hashCanonical } from '@parley/documents';
import type { Edge } from '../executors/types.ts';

/** A window ends after 24 hours without use (CG-6). */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** A clock may be corrected by this much; one that was put back further ends the window. */
export const JITTER_MS = 60_000;

/** What a yes is remembered for (CG-15): exactly these values, what is inside the edge, the whole tool, or nothing. */
export type Remember = 'values' | 'edge' | 'tool' | 'once';

/** What a window covers. "Exactly these values" may lead elsewhere tomorrow, so they have the edge, too. */
export type Reach =
  | { readonly kind: 'values'; readonly argumentsDigest: string; readonly edge?: Edge | undefined }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'tool' };

/** A silent window: after a medium call was allowed, later ones are not asked about. It exists on this device only. */
export interface Window extends WindowSubject {
  readonly agentId: string;
  readonly reach: Reach;
  readonly openedAt: number;
  /** The 24 hours begin here. */
  readonly usedAt: number;
}

export interface WindowSubject {
  readonly conversationId: string;
  readonly tool: string;
  readonly scope: string;
  /** The digest of tool and scope as they were written. */
  readonly digest: string;
  /** The number of the ledger entry by which the scope was last granted or agreed to again. */
  readonly epoch: number;
  /** The agent's identity key. */
  readonly identityKey: string;
}

/** Where a call goes: its edge, if the executor declares one, and its values. */
export interface Place {
  readonly edge: Edge | undefined;
  readonly argumentsDigest: string;
}

export function windowKey({
  conversationId,
  tool,
  scope,
  reach,
}: Pick<Window, 'conversationId' | 'tool' | 'scope' | 'reach'>) {
  return `${conversationId}/${tool}/${scope}/${reachKey(reach)}`;
}

function reachKey(reach: Reach): string {
  if (reach.kind === 'tool') return 'tool';
  // An edge may hold any character, a slash too.
  const edge = reach.edge === undefined ? '' : hashCanonical(reach.edge.id);
  return reach.kind === 'edge' ? `edge/${edge}` : `values/${reach.argumentsDigest}/${edge}`;
}

/** What a person can choose a yes to be remembered for: the default, what is narrower, what is wider. */
export function rememberable({ edge }: Pick<Place, 'edge'>): readonly Remember[] {
  return edge === undefined ? ['tool', 'values', 'once'] : ['edge', 'values', 'once', 'tool'];
}

/** Undefined if nothing is remembered. */
export function toReach(remember: Remember, { edge, argumentsDigest }: Place): Reach | undefined {
  if (remember === 'values') return { kind: 'values', argumentsDigest, edge };
  if (remember === 'edge') return edge && { kind: 'edge', edge };
  return remember === 'tool' ? { kind: 'tool' } : undefined;
}

const NARROWEST_FIRST = ['values', 'edge', 'tool'] as const;

/** Finds the narrowest window that covers the call, so that using it does not prolong a wider one. */
export function findWindow(
  windows: ReadonlyMap<string, Window>,
  subject: WindowSubject,
  { now, ...place }: Place & { readonly now: number },
): Window | undefined {
  for (const remember of NARROWEST_FIRST) {
    const reach = toReach(remember, place);
    const window = reach && windows.get(windowKey({ ...subject, reach }));
    if (window !== undefined && isOpen(window, subject, now)) return window;
  }
  return undefined;
}

/** Is it still open for this subject? Any edit, revocation or replacement since has ended it. */
function isOpen(window: Window, subject: WindowSubject, now: number): boolean {
  return (
    window.digest === subject.digest &&
    window.epoch === subject.epoch &&
    window.identityKey === subject.identityKey &&
    now >= window.usedAt - JITTER_MS &&
    now < windowEnd(window)
  );
}

export function windowEnd(window: Pick<Window, 'usedAt'>): number {
  return window.usedAt + WINDOW_MS;
}
