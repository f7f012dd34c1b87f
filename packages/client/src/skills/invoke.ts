import type { Locale } from '@parley/base';
import type { Api } from '@parley/messenger';
import { type BodyOf, type ReplyOf, skillRoutes } from '@parley/protocol';
import { addProgress, NO_PROGRESS, type SkillProgress } from './progress.ts';

type Route = typeof skillRoutes.invokeSkill;

export interface SkillCall {
  readonly skillId: string;
  readonly body: BodyOf<Route>;
  /** The language of the sentences in the reply. */
  readonly locale: Locale;
}

export interface WatchOptions {
  readonly onProgress: (progress: SkillProgress) => void;
  /** Aborting it cancels the execution. */
  readonly signal?: AbortSignal | undefined;
}

export type SkillReply = ReplyOf<Route>;

/**
 * Lets the server call a skill and reports its progress. A failed skill is a reply; only failures of the request itself
 * are thrown.
 */
export function invokeSkill(
  api: Pick<Api, 'call'>,
  { skillId, body, locale }: SkillCall,
  { onProgress, signal }: WatchOptions,
): Promise<SkillReply> {
  let progress = NO_PROGRESS;
  return api.call(skillRoutes.invokeSkill, {
    params: { skill_id: skillId },
    body,
    headers: { 'accept-language': locale },
    onEvent: (event) => {
      progress = addProgress(progress, event);
      onProgress(progress);
    },
    ...(signal === undefined ? {} : { signal }),
  });
}
