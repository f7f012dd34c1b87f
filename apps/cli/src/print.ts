import { CommandError } from './command-error.ts';
import type { CommandResult } from './command-result.ts';
import type { ExitCode } from './exit-code.ts';
import { type ErrorContext, explainError, toCommandError } from './explain-error.ts';
import { choosePaint, type Paint } from './paint.ts';

/** Everything is printed here, so that a closed pipe (`| head`) is never an error. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const error = await new Promise<Error | null | undefined>((resolve) => {
    // Without a listener, an error of the stream would end the process with a stack trace.
    stream.once('error', resolve);
    stream.write(text, (problem) => {
      if (!problem) stream.off('error', resolve);
      resolve(problem);
    });
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== undefined && code !== 'EPIPE') {
    throw new CommandError('OUTPUT_FAILED', { params: { reason: code } });
  }
}

/** Prints for people: in colour and wrapped if the stream is a terminal. */
export async function show(stream: NodeJS.WriteStream, text: (paint: Paint) => string): Promise<void> {
  const painted = text(choosePaint(stream.isTTY, process.env));
  await write(stream, stream.isTTY ? await fitToTerminal(painted, stream.columns) : painted);
}

async function fitToTerminal(text: string, columns: number): Promise<string> {
  // Terminals that do not know their width report 0.
  if (columns === 0 || text.split('\n').every((line) => 2 * line.length - countAscii(line) <= columns)) return text;
  // It is loaded only here, because loading it takes longer than most commands take to run (HS-15).
  const { fitText } = await import('./fit-text.ts');
  return fitText(text, columns);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const countAscii = (line: string): number => line.match(/[\u0000-\u007f]/g)?.length ?? 0;

export async function printResult(outcome: CommandResult, asJson: boolean): Promise<ExitCode> {
  if (asJson) {
    await write(process.stdout, toJson(outcome.json));
  } else {
    await show(process.stdout, outcome.text);
    await show(process.stderr, outcome.stderr ?? (() => ''));
  }
  return outcome.exit;
}

/** Prints one of many values, each on its own line. */
export function printJsonLine(value: unknown): Promise<void> {
  return write(process.stdout, toJson(value, 0));
}

export async function printError(error: unknown, context: ErrorContext, asJson: boolean): Promise<ExitCode> {
  const failed = toCommandError(error, context);
  const message = explainError(failed, context.locale);
  if (asJson) await write(process.stdout, toJson({ error: { code: failed.code, message } }));
  else await show(process.stderr, (paint) => `${paint('red', message)}\n`);
  // For an unexpected error people see the message; the stack is shown only on request.
  if (failed.code === 'INTERNAL' && process.env.PARLEY_DEBUG && error instanceof Error) {
    await write(process.stderr, `${error.stack}\n`);
  }
  return failed.exit;
}

/** Returns JSON that is also harmless in a terminal: it escapes control characters that JSON.stringify leaves raw. */
function toJson(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, null, indent);
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, toEscape)}\n`;
}
