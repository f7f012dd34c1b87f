import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SkillHandler } from '@parley/skills/provider';
import { CommandError } from '../command-error.ts';

/** Imports the person's own module; its name is known only at run time. */
export async function loadHandler(module: string): Promise<SkillHandler> {
  const fail = (reason: string) => new CommandError('HANDLER_UNUSABLE', { params: { file: module, reason } });
  let loaded: { default?: unknown };
  try {
    loaded = await import(pathToFileURL(resolve(module)).href);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error));
  }
  if (typeof loaded.default !== 'function') throw fail('export default function');
  return loaded.default as SkillHandler;
}
