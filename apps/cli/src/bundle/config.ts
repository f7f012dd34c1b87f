import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseJson } from '@parley/documents';
import { CommandError } from '../command-error.ts';
import { writeFileAtomically } from '../write-file.ts';

/** What `roleos init` saved. Paths are absolute. */
export interface Config {
  readonly version: 1;
  readonly workspace: string;
  readonly target: Target;
  /** The registry that ids are looked up in; null means the server the person is signed in to. */
  readonly registry: string | null;
  /** The address or folder of each `roleos-mirror://<name>`. By default `official` is the registry. */
  readonly mirrors: Readonly<Record<string, string>>;
}

export const TARGETS = ['openclaw', 'plain'] as const;
export type Target = (typeof TARGETS)[number];

const homeOf = (): string => resolve(process.env.ROLEOS_HOME || join(homedir(), '.roleos'));
export const configFile = (): string => join(homeOf(), 'config.json');
/** The folder for bundles of the scope `global`. */
export const globalRoot = (): string => join(homeOf(), 'global');
/** The file that maps bundles to agents. Nothing in it is secret. */
export const agentsFile = (): string => join(homeOf(), 'agents.json');
export const defaultWorkspace = (): string => join(homeOf(), 'workspace');

export function readConfig(): Config | undefined {
  const value = readJsonFile(configFile());
  if (value === undefined) return undefined;
  const { workspace, target, registry, mirrors } = (value ?? {}) as Partial<Record<keyof Config, unknown>>;
  const named = TARGETS.find((candidate) => candidate === target);
  const isFine =
    typeof workspace === 'string' &&
    named !== undefined &&
    (registry === null || typeof registry === 'string') &&
    isTexts(mirrors);
  if (!isFine) throw damaged(configFile());
  return { version: 1, workspace, target: named, registry, mirrors };
}

export function writeConfig(config: Config): void {
  makeFolder(homeOf());
  makeFolder(globalRoot());
  writeFileAtomically(configFile(), `${JSON.stringify(config, null, 2)}\n`, true);
}

export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
    throw new CommandError('FILE_UNUSABLE', { params: { file: path, reason } });
  }
}

/** Undefined means that the file does not exist. */
export function readJsonFile(file: string): unknown {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
    if (reason === 'ENOENT') return undefined;
    throw new CommandError('FILE_UNUSABLE', { params: { file, reason } });
  }
  const parsed = parseJson(bytes);
  if (!parsed.ok) throw damaged(file);
  return parsed.value;
}

export const damaged = (file: string): CommandError => new CommandError('CONFIG_DAMAGED', { params: { file } });

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === 'string');
