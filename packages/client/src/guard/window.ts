/** A window ends after 24 hours without use (CG-6). */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** A clock may be corrected by this much; one that was put back further ends the window. */
const JITTER_MS = 60_000;

/** A silent window: after a medium call was allowed, later ones are not asked about. It exists on this device only. */
export interface Window extends WindowSubject {
  readonly agentId: string;
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

export function windowKey({ conversationId, tool, scope }: Pick<WindowSubject, 'conversationId' | 'tool' | 'scope'>) {
  return `${conversationId}/${tool}/${scope}`;
}

/** Does the window still cover a call about this subject? Any edit, revocation or replacement since has ended it. */
export function isOpen(window: Window | undefined, subject: WindowSubject, now: number): window is Window {
  return (
    window !== undefined &&
    windowKey(window) === windowKey(subject) &&
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
