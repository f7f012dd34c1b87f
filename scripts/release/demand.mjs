import { run } from '../setup/run.mjs';

/** What a command prints, or an error that has it. */
export async function demand(cwd, [program, ...args]) {
  const { code, output, stdout } = await run(program, args, { cwd });
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')}\n${output.trimEnd()}`);
  return stdout.trim();
}
