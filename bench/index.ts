import { parseArgs } from 'node:util';
import type { BenchRow } from './measure.ts';

const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>>> = {
  canonicalise: () => import('./canonicalise.ts'),
  parse: () => import('./parse.ts'),
  validate: () => import('./validate.ts'),
  diff: () => import('./diff.ts'),
  arguments: () => import('./arguments.ts'),
  e2ee: () => import('./e2ee.ts'),
  bundles: () => import('./bundles.ts'),
  skills: () => import('./skills.ts'),
  'skills-provider': () => import('./skills-provider.ts'),
  stores: () => import('./stores.ts'),
  'tool-call': () => import('./tool-call.ts'),
  'server-agents': () => import('./server-agents.ts'),
  'server-claims': () => import('./server-claims.ts'),
  'server-reauth': () => import('./server-reauth.ts'),
  'server-relay': () => import('./server-relay.ts'),
  'server-skills': () => import('./server-skills.ts'),
  'server-sockets': () => import('./server-sockets.ts'),
  web: () => import('./web.ts'),
};

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help || (values.only !== undefined && !Object.hasOwn(BENCHES, values.only))) {
  console.error(`npm run bench -- [--only ${Object.keys(BENCHES).join('|')}] [--json]`);
  process.exit(values.help ? 0 : 2);
}

const rows: BenchRow[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (values.only !== undefined && values.only !== name) continue;
  if (!values.json) console.error(`Measuring ${name} …`);
  rows.push(...(await (await load()).run()));
}
console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));

function table(list: readonly BenchRow[]): string {
  const cells = list.map((row) => [
    row.name,
    row.detail,
    figure(row.ours, row.unit),
    figure(row.peer, row.unit),
    `${row.ratio.toFixed(2)}×`,
    row.aim ?? '',
    row.met === undefined ? '' : row.met ? 'met' : 'MISSED',
  ]);
  const lines = [['what', 'beside', 'ours', 'theirs', 'ratio', 'aim', ''], ...cells];
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
