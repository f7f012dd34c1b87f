import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type ImportedSkill, importSkillFolder } from '@parley/bundles';
import type { Json } from '@parley/documents';
import { type Bundle, type Kit, readBundle, resolveBundleEntry } from '@parley/documents/bundle';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { compactJson } from '../compact-json.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { ownCommand } from '../own-command.ts';
import { quote } from '../shell-quote.ts';
import { writeFileAtomically } from '../write-file.ts';
import { loadLocal } from './source.ts';
import { refuseInvalid } from './validate.ts';

const COLUMNS = 80;

export interface ImportOptions {
  /** The folder of the bundle that gets the kit; without it the kit is only printed. */
  readonly into?: string;
  readonly force?: boolean;
}

/** Converts a ClawHub-style skill folder to a kit with its digest, and prints it or adds it to a bundle. */
export async function importSkill(
  folder: string,
  options: ImportOptions,
  words: Words,
  program: string,
): Promise<CommandResult> {
  const skill = await importSkillFolder(folder);
  const { kit } = skill;
  const digest = kit.mirror?.digest ?? '';
  if (options.into === undefined) {
    return { exit: EXIT.fine, json: { kit }, text: () => `${compactJson(kit as unknown as Json, COLUMNS)}\n` };
  }
  const manifest = join(options.into, 'manifest.json');
  const exists = statSync(manifest, { throwIfNoEntry: false }) !== undefined;
  const outcome = exists ? await addToBundle(skill, options, words) : startBundle(skill, options.into);
  if (outcome !== undefined) return outcome;
  const params = {
    kit: kit.id,
    file: displayName(manifest),
    command: `${ownCommand(program)} validate ${quote(options.into)}`,
  };
  return {
    exit: EXIT.fine,
    json: { kit, manifest, digest },
    text: (paint) =>
      `${paint('green', '✓')} ${words.say('import.done', params)}\n  ${digest}\n${words.say('import.next', params)}\n`,
  };
}

/** Returns a result only if the bundle is not valid. */
async function addToBundle(
  skill: ImportedSkill,
  options: ImportOptions,
  words: Words,
): Promise<CommandResult | undefined> {
  const { into = '', force = false } = options;
  const { kit } = skill;
  const source = await loadLocal(into, words.locale);
  const { bundle, validation } = source.rejected
    ? { bundle: undefined, validation: source.rejected }
    : readBundle(source.manifest, { locale: words.locale });
  if (bundle === undefined) return refuseInvalid(source, validation, words);
  const kits = bundle.kits ?? [];
  if (kits.some(({ id }) => id === kit.id) && !force) {
    throw new CommandError('KIT_EXISTS', { params: { kit: kit.id } });
  }
  placeFiles(skill, into);
  writeManifest(into, withKit(bundle, kit));
  return undefined;
}

/** Replaces the kit with the same id, or appends it and lets the entry role use it. */
function withKit(bundle: Bundle, kit: Kit): Bundle {
  const kits = bundle.kits ?? [];
  if (kits.some(({ id }) => id === kit.id)) {
    return { ...bundle, kits: kits.map((old) => (old.id === kit.id ? { ...old, ...kit } : old)) };
  }
  const { id: entry } = resolveBundleEntry(bundle);
  const roles = bundle.roles.map((role) =>
    role.id === entry ? { ...role, kits: [...new Set([...(role.kits ?? []), kit.id])] } : role,
  );
  return { ...bundle, roles, kits: [...kits, kit] };
}

/** Creates the smallest bundle around the kit, as a start for editing. */
function startBundle(skill: ImportedSkill, into: string): undefined {
  const { kit } = skill;
  const name = basename(resolve(into));
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
  placeFiles(skill, into);
  writeManifest(into, {
    rktVersion: '1.0',
    id: id === '' ? kit.id : id,
    version: '0.1.0',
    name,
    summary: kit.description?.slice(0, 140) ?? kit.label,
    targetUser: '-',
    roles: [{ id: id === kit.id ? `${id}-role` : 'assistant', label: kit.label, purpose: kit.label, kits: [kit.id] }],
    kits: [kit],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
  });
}

/** Writes the files first, so that the manifest never names missing content. */
function placeFiles({ kit, files }: ImportedSkill, into: string): void {
  const target = join(into, 'kits', kit.id);
  const draft = join(into, 'kits', `.${kit.id}.${process.pid}.tmp`);
  const old = `${draft}.old`;
  try {
    for (const { path, bytes, executable = false } of files) {
      mkdirSync(dirname(join(draft, path)), { recursive: true });
      writeFileSync(join(draft, path), bytes, { mode: executable ? 0o755 : 0o644 });
    }
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) renameSync(target, old);
    renameSync(draft, target);
  } finally {
    for (const path of [draft, old]) rmSync(path, { recursive: true, force: true });
  }
}

function writeManifest(into: string, bundle: Bundle): void {
  writeFileAtomically(join(into, 'manifest.json'), `${compactJson(bundle as unknown as Json, COLUMNS)}\n`, true);
}
