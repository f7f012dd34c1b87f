import type { EventOf, skillRoutes } from '@parley/protocol';

export type SkillEvent = EventOf<typeof skillRoutes.invokeSkill>;

/** How far an execution is, by what its provider reports. */
export interface SkillProgress {
  readonly status?: NonNullable<SkillEvent['status']>;
  /** From 0 to 1. */
  readonly fraction?: number;
  readonly message?: string;
  /** The attempt that failed last; the next one comes after a while. */
  readonly retry?: SkillEvent;
  /** The newest events, in order. */
  readonly events: readonly SkillEvent[];
}

const MAX_EVENTS = 50;

export const NO_PROGRESS: SkillProgress = { events: [] };

export function addProgress({ events: before, ...known }: SkillProgress, event: SkillEvent): SkillProgress {
  const events = [...before, event].slice(-MAX_EVENTS);
  if (event.type === 'retry') return { ...known, retry: event, events };
  if (event.type === 'cancelling') return { ...known, events };
  const fraction = fractionOf(event);
  const { status, message } = event;
  return {
    ...(status === undefined ? {} : { status }),
    ...(fraction === undefined ? {} : { fraction }),
    ...(message === undefined ? {} : { message }),
    events,
  };
}

/** Providers count to 1 or to 100; any other number says nothing. */
export function fractionOf({ progress }: SkillEvent): number | undefined {
  if (progress === undefined || !(progress >= 0 && progress <= 100)) return undefined;
  return progress > 1 ? progress / 100 : progress;
}
