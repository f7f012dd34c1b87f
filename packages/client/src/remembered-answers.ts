import { createObservable, type Readable } from '@parley/base';
import { displayText } from '@parley/documents';
import type { RelationView } from './agents/relation-state.ts';
import type { Denial, Permissions, PermissionsSnapshot } from './guard/permissions.ts';
import { type Window, windowEnd } from './guard/window.ts';

export interface WindowView {
  readonly conversationId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** The name in the manifest, for `closeWindow`; it is not safe to show. */
  readonly tool: string;
  readonly scope: string;
  readonly openedAt: number;
  readonly usedAt: number;
  /** When it ends, unless the tool is used again before. */
  readonly endsAt: number;
}

export interface DenialView extends Denial {
  readonly agentName: string;
}

/** The answers that this device remembers; each can be revoked. */
export interface RememberedAnswers
  extends Readable<{ windows: readonly WindowView[]; denials: readonly DenialView[] }> {
  closeWindow(window: Pick<WindowView, 'conversationId' | 'tool' | 'scope'>): Promise<void>;
  removeDenial(denial: Pick<Denial, 'agentId' | 'toolName'>): Promise<void>;
}

export function createRememberedAnswers(
  permissions: Permissions,
  relations: Readable<readonly RelationView[]>,
  now: () => number,
): RememberedAnswers {
  const relationOf = (agentId: string) => relations.getSnapshot().find((relation) => relation.agentId === agentId);
  const nameOf = (agentId: string) => displayText(relationOf(agentId)?.agentName ?? agentId);
  /** For another key it is none, and it is there again if that key was a lie (EE-24). */
  const isInForce = (window: Window) =>
    now() < windowEnd(window) && relationOf(window.agentId)?.problem !== 'identity_changed';
  const toView = ({ windows, denials }: PermissionsSnapshot) => ({
    windows: [...windows.values()].filter(isInForce).map((window: Window) => ({
      conversationId: window.conversationId,
      agentId: window.agentId,
      agentName: nameOf(window.agentId),
      tool: window.tool,
      scope: window.scope,
      openedAt: window.openedAt,
      usedAt: window.usedAt,
      endsAt: windowEnd(window),
    })),
    denials: [...denials.values()].map((denial) => ({ ...denial, agentName: nameOf(denial.agentId) })),
  });
  const view = createObservable(toView(permissions.getSnapshot()));
  const update = () => view.set(toView(permissions.getSnapshot()));
  permissions.subscribe(update);
  relations.subscribe(update);
  return {
    getSnapshot: view.getSnapshot,
    subscribe: view.subscribe,
    closeWindow: permissions.closeWindow,
    removeDenial: permissions.removeDenial,
  };
}
