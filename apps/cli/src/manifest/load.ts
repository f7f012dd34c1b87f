import type { Locale } from '@parley/base';
import { type Manifest, type Message, parseManifest, toMessage, validateManifest } from '@parley/documents';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { readInput, STDIN } from '../input.ts';

/** A manifest file that was read, right or wrong. */
export interface Loaded {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly findings: readonly Message[];
  /** Only where it is valid. */
  readonly manifest?: Manifest;
}

export interface Unreadable {
  readonly file: string;
  readonly failure: Failure;
}

export async function loadManifest(file: string, locale: Locale): Promise<Loaded> {
  const bytes = await readInput(file);
  const parsed = parseManifest(bytes);
  if (!parsed.ok) return { file, bytes, findings: parsed.findings.map((finding) => toMessage(finding, locale)) };
  return { file, bytes, ...validateManifest(parsed.value, { locale }) };
}

/** One file that cannot be read ends the command; among several, the others are still looked at. */
export async function loadManifests(files: readonly string[], locale: Locale): Promise<(Loaded | Unreadable)[]> {
  const results: (Loaded | Unreadable)[] = [];
  for (const file of files) {
    try {
      results.push(await loadManifest(file, locale));
    } catch (error) {
      if (!(error instanceof Failure) || files.length === 1) throw error;
      results.push({ file, failure: error });
    }
  }
  return results;
}

/** The files a command was given; none means standard input. A person at a terminal is told instead of left waiting. */
export function chooseFiles(files: readonly string[], command: string): readonly string[] {
  const chosen = files.length === 0 ? [STDIN] : files;
  const fromStdin = chosen.filter((file) => file === STDIN).length;
  if (fromStdin > 1) throw new Failure('USAGE', EXIT.usage, { key: 'usage.stdin_twice' });
  if (fromStdin === 1 && process.stdin.isTTY) {
    throw new Failure('USAGE', EXIT.usage, { key: 'usage.no_input' }, { key: 'usage.see_help', params: { command } });
  }
  return chosen;
}

/** The gravest exit code wins: a file that cannot be read says more about the run than one that is not valid. */
export function worstExit(results: readonly (Loaded | Unreadable)[]): ExitCode {
  const codes = results.map((result): ExitCode => {
    if ('failure' in result) return result.failure.exit;
    return result.manifest === undefined ? EXIT.bad : EXIT.fine;
  });
  return Math.max(...codes) as ExitCode;
}
