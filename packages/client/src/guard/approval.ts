import type { Sensitivity } from '@parley/documents';
import { compareSensitivity } from '@parley/documents';
import type { Remember } from './window.ts';

/** A person allowed exactly this call (CG-7). */
export interface Approval {
  readonly callId: string;
  readonly conversationId: string;
  readonly argumentsDigest: string;
  /** The edge that was shown (CG-15): the call may not go elsewhere with it. */
  readonly edge: string | undefined;
  readonly manifestHash: string;
  /** The digest of tool and scope as they were shown. */
  readonly toolDigest: string;
  /** The level the question was asked at. */
  readonly level: Sensitivity;
  /** What else the yes is for. */
  readonly remember: Remember;
  readonly expiresAt: number;
  readonly used: boolean;
}

export interface ApprovedThing extends Omit<Approval, 'remember' | 'expiresAt' | 'used'> {}

/** Is the approval valid for this call, now? An unchanged tool and scope keep it under a new manifest. */
export function isApproved(approval: Approval | undefined, thing: ApprovedThing, now: number): boolean {
  return (
    approval !== undefined &&
    !approval.used &&
    now < approval.expiresAt &&
    approval.callId === thing.callId &&
    approval.conversationId === thing.conversationId &&
    approval.argumentsDigest === thing.argumentsDigest &&
    approval.edge === thing.edge &&
    (approval.manifestHash === thing.manifestHash || approval.toolDigest === thing.toolDigest) &&
    compareSensitivity(approval.level, thing.level) >= 0
  );
}
