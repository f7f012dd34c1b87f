import { invokeSkill, NO_PROGRESS, type SkillProgress } from '@parley/client';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { BodyOf, skillRoutes } from '@parley/protocol';
import { useEffect, useRef, useState } from 'react';
import { useDevice } from '../../client/provider.tsx';
import { currentLocale } from '../../i18n/index.ts';
import type { Result } from './result-view.tsx';

type Body = BodyOf<typeof skillRoutes.invokeSkill>;

export type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly began: number; readonly progress: SkillProgress }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'stopped'; readonly ms: number }
  | { readonly state: 'failed'; readonly error: unknown };

/** Runs one call at a time; leaving the page cancels it. */
export function useRun({ id, version }: SkillDescriptor) {
  const { api } = useDevice();
  const [run, setRun] = useState<Run>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = (body: Omit<Body, 'version'>) => {
    const controller = new AbortController();
    const { signal } = controller;
    const began = performance.now();
    running.current = controller;
    setRun({ state: 'running', began, progress: NO_PROGRESS });
    const call = { skillId: id, body: { ...body, version }, locale: currentLocale() };
    const onProgress = (progress: SkillProgress) => setRun({ state: 'running', began, progress });
    invokeSkill(api, call, { onProgress, signal }).then(
      (reply) => setRun({ state: 'done', result: { ...reply, ms: performance.now() - began } }),
      (error: unknown) =>
        setRun(signal.aborted ? { state: 'stopped', ms: performance.now() - began } : { state: 'failed', error }),
    );
  };
  return { run, start, stop: () => running.current?.abort() };
}
