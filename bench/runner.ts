import { parseArgs } from 'node:util';
import type { BenchRow } from './measure.ts';

export interface Bench {
  /** Yields rows as they are measured. If it is ended early, it closes what it has started. */
  run(): AsyncIterable<BenchRow>;
}

export interface Runner {
  readonly benches: Readonly<Record<string, () => Promise<Bench>>>;
  readonly args: readonly string[];
  /** Prints the table, or JSON, once at the end. */
  readonly print: (text: string) => void;
  /** Reports progress. */
  readonly tell: (line: string) => void;
  /** Stops the benches early; the rows measured so far are printed. */
  readonly signal: AbortSignal;
}

const INTERRUPTED = 130;

/** Runs the benches that were asked for, or all, and returns the exit code. */
export async function runBenches({ benches, args, print, tell, signal }: Runner): Promise<number> {
  const options = readArgs(args, Object.keys(benches));
  if (options.usage) {
    tell(`npm run bench -- [--json] [${Object.keys(benches).join('|')}]…`);
    return options.isHelp ? 0 : 2;
  }
  const rows: BenchRow[] = [];
  const failed: string[] = [];
  let finished = 0;
  const runAll = async (): Promise<void> => {
    for (const name of options.names) {
      if (signal.aborted) return;
      tell(`[${finished + 1}/${options.names.length}] ${name} …`);
      try {
        for await (const row of (await benches[name]!()).run()) {
          // Rows that come after the interruption are not in the table.
          if (signal.aborted) return;
          rows.push(row);
          tell(`  ${toCells(row).filter(Boolean).join('  ')}`);
        }
      } catch (error) {
        if (signal.aborted) return;
        failed.push(name);
        tell(`  FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
      finished++;
    }
  };
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([runAll(), interrupted]);
  print(options.isJson ? JSON.stringify(rows, null, 2) : formatTable(rows));
  if (failed.length > 0) tell(`Failed: ${failed.join(', ')}.`);
  if (!signal.aborted) return failed.length > 0 ? 1 : 0;
  tell(
    `Interrupted: ${finished} of ${options.names.length} were finished; the table has what was measured until then.`,
  );
  return INTERRUPTED;
}

interface BenchOptions {
  readonly names: readonly string[];
  readonly isJson: boolean;
  readonly isHelp: boolean;
  readonly usage: boolean;
}

function readArgs(args: readonly string[], known: readonly string[]): BenchOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const wanted = new Set([...positionals, ...values.only]);
    const isUnknown = [...wanted].some((name) => !known.includes(name));
    const names = wanted.size === 0 ? known : known.filter((name) => wanted.has(name));
    return { names, isJson: values.json, isHelp: values.help, usage: values.help || isUnknown };
  } catch {
    return { names: [], isJson: false, isHelp: false, usage: true };
  }
}

function toCells(row: BenchRow): string[] {
  return [
    row.name,
    row.detail,
    figure(row.ours, row.unit),
    figure(row.peer, row.unit),
    `${row.ratio.toFixed(2)}×`,
    row.aim ?? '',
    row.met === undefined ? '' : row.met ? 'met' : 'MISSED',
  ];
}

function formatTable(rows: readonly BenchRow[]): string {
  const lines = [['what', 'beside', 'ours', 'theirs', 'ratio', 'aim', ''], ...rows.map(toCells)];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure(value: number, unit: BenchRow['unit']): string {
  if (unit === 'ms') return `${value.toFixed(2)} ms`;
  if (unit === 'MB') return `${Math.round(value)} MB`;
  return value >= 1000 ? `${Math.round(value).toLocaleString('en')}/s` : `${value.toFixed(1)}/s`;
}
