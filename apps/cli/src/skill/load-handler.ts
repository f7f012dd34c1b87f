import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SkillHandler } from '@parley/skills/provider';
import { EXIT, Failure } from '../failure.ts';

/** The person's own module: the one import whose name nobody can know. */
export async function loadHandler(module: string): Promise<SkillHandler> {
  const fail = (reason: string) =>
    new Failure('HANDLER_UNUSABLE', EXIT.environment, { key: 'skill.handler', params: { file: module, reason } });
  let loaded: { default?: unknown };
  try {
    loaded = await import(pathToFileURL(resolve(module)).href);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error));
  }
  if (typeof loaded.default !== 'function') throw fail('export default function');
  return loaded.default as SkillHandler;
}
