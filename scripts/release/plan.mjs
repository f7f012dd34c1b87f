import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson } from '../packages/published.mjs';
import { demand } from './demand.mjs';

/** The program of changesets: ours, in whatever tree it works. Looked for only when it is needed: publishing needs nothing installed. */
export const changeset = () => [process.execPath, createRequire(import.meta.url).resolve('@changesets/cli/bin.js')];

const isChangeset = (name) => name.endsWith('.md') && name !== 'README.md';

/**
 * What changed since the last release, and which version that makes.
 *
 * @returns {Promise<{ changesets: any[], version: string | undefined, problem?: string }>}
 */
export async function readPlan(root) {
  const none = { changesets: [], version: undefined };
  if (!readdirSync(join(root, '.changeset')).some(isChangeset)) {
    return { ...none, problem: 'Nothing says what changed: describe it with `npx changeset`, and commit the file.' };
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
  try {
    await demand(root, [...changeset(), 'status', '--output', join(folder, 'plan.json')]);
    const { changesets, releases } = readJson(join(folder, 'plan.json'));
    if (releases.length > 0) return { changesets, version: releases[0].newVersion };
    return { ...none, problem: 'The changesets name no package, so there is nothing to release.' };
  } catch (error) {
    const reason = error.message.split('\n').find((line) => /error/i.test(line)) ?? error.message;
    return { ...none, problem: `The changesets cannot be read: ${reason.replace(/^.*?error\s+/i, '').trim()}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
