import { findProgram } from '@parley/base/node';
import { defineArguments } from '../arguments.ts';
import { MAX_CONTENT_BYTES, toContent } from '../content.ts';
import { describeClipboard } from '../describe.ts';
import { type Executor, ExecutorError } from '../types.ts';
import { type Environment, type Program, runProgram } from './run-program.ts';

const readArguments = defineArguments<Record<string, never>>({});

export interface ClipboardOptions {
  readonly environment: Environment;
  readonly platform: string;
}

/** Undefined where there is no clipboard, or no program to read it. */
export function readClipboardExecutor({ environment, platform }: ClipboardOptions): Executor | undefined {
  const program = findReader(environment, platform);
  if (program === undefined) return undefined;
  return {
    tool: 'read_clipboard',
    scope: 'clipboard:read',
    sensitivity: 'medium',
    describe: (_, locale) => describeClipboard(locale),
    run: async (args, { signal }) => {
      readArguments(args);
      const bytes = await runProgram(program, { signal, maxBytes: MAX_CONTENT_BYTES, environment });
      const { content, encoding } = toContent(bytes);
      if (encoding !== 'utf-8') throw new ExecutorError('What was copied is not text.');
      return { content };
    },
  };
}

function findReader(environment: Environment, platform: string): Program | undefined {
  const candidates = CANDIDATES[platform] ?? LINUX;
  for (const { name, args, needs } of candidates) {
    const file = needs !== undefined && !environment[needs] ? undefined : findProgram(name, environment);
    if (file !== undefined) return { file, args };
  }
  return undefined;
}

/** On Linux: the programs of which one could read the clipboard here. */
export const readersFor = (environment: Environment): readonly string[] =>
  LINUX.flatMap(({ name, needs }) => (needs !== undefined && environment[needs] ? [name] : []));

interface Candidate {
  readonly name: string;
  readonly args: readonly string[];
  /** A variable without which there is no clipboard to read. */
  readonly needs?: string;
}

const LINUX: readonly Candidate[] = [
  { name: 'wl-paste', args: ['--no-newline', '--type', 'text'], needs: 'WAYLAND_DISPLAY' },
  { name: 'xclip', args: ['-selection', 'clipboard', '-out'], needs: 'DISPLAY' },
  { name: 'xsel', args: ['--clipboard', '--output'], needs: 'DISPLAY' },
];

const WINDOWS_SCRIPT =
  '[Console]::OutputEncoding = [System.Text.Encoding]::UTF8; [Console]::Out.Write((Get-Clipboard -Raw))';

const CANDIDATES: Readonly<Record<string, readonly Candidate[]>> = {
  darwin: [{ name: 'pbpaste', args: [] }],
  win32: [{ name: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT] }],
};
