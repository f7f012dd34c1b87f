import { createObservable, type Locale, type Readable } from '@parley/base';
import { displayText, displayValue } from '@parley/documents';
import type { OtherDevice } from './account/other-device.ts';
import type { RelationView } from './agents/relation-state.ts';
import type { Denial } from './guard/account-denials.ts';
import { isStopped, type QuestionStop } from './guard/decide.ts';
import type { Permissions, PermissionsSnapshot } from './guard/permissions.ts';
import { type Reach, type Window, windowEnd } from './guard/window.ts';

export interface WindowView {
  /** For `closeWindow`. */
  readonly id: string;
  readonly conversationId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** The name in the manifest; it is not safe to show. */
  readonly tool: string;
  readonly scope: string;
  /** How far it reaches (CG-15). */
  readonly reach: Reach['kind'];
  /** The edge in words, safe to show; absent where there is none. */
  readonly edge?: string;
  readonly openedAt: number;
  readonly usedAt: number;
  /** When it ends, unless the tool is used again before. */
  readonly endsAt: number;
}

export interface DenialView extends Denial {
  readonly agentName: string;
  /** Devices of the account that have not said yet that they know of it: there, one is still asked. */
  readonly unconfirmed: readonly OtherDevice[];
}

export interface QuestionStopView extends QuestionStop {
  readonly agentName: string;
}

interface RememberedSnapshot {
  readonly windows: readonly WindowView[];
  readonly denials: readonly DenialView[];
  /** Agents that the person does not want to be asked about for now (CG-14). */
  readonly questionStops: readonly QuestionStopView[];
}

/** Makes it as it was before. */
type Undo = () => Promise<void>;

/** The answers that are remembered; each can be revoked. What is always denied is so on all devices (CG-6). */
export interface RememberedAnswers extends Readable<RememberedSnapshot> {
  closeWindow(window: Pick<WindowView, 'id'>): Promise<Undo>;
  removeDenial(denial: Pick<Denial, 'agentId' | 'toolName'>): Promise<Undo>;
  askAgain(stop: Pick<QuestionStop, 'agentId'>): Promise<Undo>;
}

export interface OpenRememberedAnswers extends RememberedAnswers {
  /** The language or a name has changed: the texts are made again. */
  redraw(): void;
}

interface RememberedOptions {
  readonly permissions: Permissions;
  readonly relations: Readable<readonly RelationView[]>;
  /** The other devices that the account's list names. */
  others(): readonly OtherDevice[];
  locale(): Locale;
  now(): number;
}

export function createRememberedAnswers(options: RememberedOptions): OpenRememberedAnswers {
  const { permissions, relations, others, locale, now } = options;
  const relationOf = (agentId: string) => relations.getSnapshot().find((relation) => relation.agentId === agentId);
  const nameOf = (agentId: string) => displayText(relationOf(agentId)?.agentName ?? agentId);
  /** For another key it is none, and it is there again if that key was a lie (EE-24). */
  const isInForce = ([, window]: [string, Window]) =>
    now() < windowEnd(window) && relationOf(window.agentId)?.problem !== 'identity_changed';
  const describeReach = (reach: Reach) => ({
    reach: reach.kind,
    ...(reach.kind === 'tool' || reach.edge === undefined
      ? {}
      : { edge: displayValue(reach.edge.text[locale()], 1_000).text }),
  });
  const toView = ({ windows, denials, questionStops }: PermissionsSnapshot): RememberedSnapshot => ({
    windows: [...windows].filter(isInForce).map(([id, window]) => ({
      id,
      conversationId: window.conversationId,
      agentId: window.agentId,
      agentName: nameOf(window.agentId),
      tool: window.tool,
      scope: window.scope,
      ...describeReach(window.reach),
      openedAt: window.openedAt,
      usedAt: window.usedAt,
      endsAt: windowEnd(window),
    })),
    denials: [...denials.values()].map(({ agentId, toolName, createdAt }) => ({
      agentId,
      toolName,
      // Another device's clock may be ahead.
      createdAt: Math.min(createdAt, now()),
      agentName: nameOf(agentId),
      unconfirmed: others().filter(
        ({ deviceId }) => !permissions.accountDenials.isKnownTo(deviceId, { agentId, toolName }),
      ),
    })),
    questionStops: [...questionStops.values()]
      .filter((stop) => isStopped(stop, now()))
      .map((stop) => ({ ...stop, agentName: nameOf(stop.agentId) })),
  });
  const view = createObservable(toView(permissions.getSnapshot()));
  const redraw = () => view.set(toView(permissions.getSnapshot()));
  permissions.subscribe(redraw);
  relations.subscribe(redraw);
  return {
    getSnapshot: view.getSnapshot,
    subscribe: view.subscribe,
    async closeWindow({ id }) {
      const window = await permissions.closeWindow(id);
      return async () => {
        if (window !== undefined) await permissions.reopenWindow(window);
      };
    },
    async removeDenial(denial) {
      await permissions.removeDenial(denial, now());
      return () => permissions.denyAlways({ ...denial, createdAt: now() });
    },
    async askAgain({ agentId }) {
      const stop = await permissions.askAgain(agentId);
      return async () => {
        if (stop !== undefined) await permissions.stopAgain(stop);
      };
    },
    redraw,
  };
}
