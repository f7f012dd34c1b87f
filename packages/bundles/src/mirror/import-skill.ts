import { basename } from 'node:path';
import type { ParleyError } from '@parley/base';
import { displayText, isJsonObject } from '@parley/documents';
import type { Kit, Permission } from '@parley/documents/bundle';
import { parse } from 'yaml';
import { bundleError } from '../bundle-error.ts';
import { digestFiles } from '../kits/digest.ts';
import type { KitFile } from '../kits/kit-file.ts';
import { readFolder } from './read-folder.ts';

/** The parser compares each key with every other: 64 KiB of keys take seconds. */
const MAX_FRONT_MATTER = 16 * 1024;
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;
const MAX_TEXT = 1_000;
const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

export interface ImportedSkill {
  readonly kit: Kit;
  readonly files: readonly KitFile[];
}

/** Imports a ClawHub-style skill folder as a kit with a locked digest. Its text is treated as data only. */
export async function importSkillFolder(folder: string, options: { source?: string } = {}): Promise<ImportedSkill> {
  const files = await readFolder(folder);
  const skill = files.find(({ path }) => path === 'SKILL.md');
  if (skill === undefined) throw refuse('it has no SKILL.md');
  const front = readFrontMatter(skill.bytes);
  const name = textOf(front.name) ?? basename(folder);
  const id = toId(name);
  if (id === '') throw refuse('its name has no letter or digit that an id may have');
  const description = textOf(front.description);
  const version = textOf(front.version);
  const permissions = listPermissions(front.metadata);
  const kit: Kit = {
    id,
    label: displayText(name),
    capabilities: [displayText(description ?? name, MAX_TEXT)],
    ...(description === undefined ? {} : { description: displayText(description, MAX_TEXT) }),
    ...(permissions.length === 0 ? {} : { permissions }),
    mirror: {
      source: options.source ?? 'roleos-mirror://local',
      digest: `sha256:${digestFiles(files)}`,
      ...(version !== undefined && SEMVER.test(version) ? { clawHubRef: `${id}@${version}` } : {}),
    },
  };
  return { kit, files };
}

function readFrontMatter(bytes: Uint8Array): Record<string, unknown> {
  const head = Buffer.from(bytes)
    .subarray(0, MAX_FRONT_MATTER)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const [, text] = FRONT_MATTER.exec(head) ?? [];
  if (text === undefined) throw refuse('its SKILL.md has no front matter');
  try {
    // Without aliases no document grows while it is read; with JSON's types only, no tag can create other objects.
    const value: unknown = parse(text, {
      schema: 'core',
      maxAliasCount: 0,
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw refuse('its front matter is not YAML', error);
  }
  throw refuse('its front matter is not a mapping');
}

/** Turns the needs that the skill names into permissions that the user is asked for. */
function listPermissions(metadata: unknown): Permission[] {
  const parsed = typeof metadata === 'string' ? parseLoosely(metadata) : metadata;
  const own = isJsonObject(parsed) ? (parsed.openclaw ?? parsed.clawdbot ?? parsed.clawdis) : undefined;
  const requires = isJsonObject(own) && isJsonObject(own.requires) ? own.requires : {};
  const programs = textsOf(requires.bins).map((target) => ({ type: 'process', target, mode: 'execute' }));
  return [...programs, ...textsOf(requires.env).map((target) => ({ type: 'env', target, mode: 'read' }))];
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toId(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 64).replace(/-$/, '');
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_TEXT * 4) : undefined;
const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((item) => typeof item === 'string')
        .map((item) => displayText(item))
        .slice(0, 50)
    : [];
const refuse = (reason: string, cause?: unknown): ParleyError =>
  bundleError('SKILL_FOLDER_INVALID', { params: { reason }, cause });
