/** CG-6: 24 hours without use. */
const WINDOW_MS = 24 * 60 * 60 * 1000;
/** A clock may be corrected by this much; one that was put back further ends the window. */
const JITTER_MS = 60_000;

/** The silence after a medium call was allowed. It lives on this device only. */
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
  /** Of tool and scope as they were written. */
  readonly digest: string;
  /** The number of the ledger entry by which the scope was last granted or agreed to again. */
  readonly epoch: number;
  /** The agent's identity key. */
  readonly identityKey: string;
}

export function windowKey({ conversationId, tool, scope }: Pick<WindowSubject, 'conversationId' | 'tool' | 'scope'>) {
  return `${conversationId}/${tool}/${scope}`;
}

/** Does it still answer for a call about this subject? Whatever was edited, taken back or replaced since has ended it. */
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
