#!/usr/bin/env node
// HS-1: holds the rules of docs/spec and the titles of the tests equal.
import { findFiles, isMain, ROOT, readFiles, reportErrors } from './files.mjs';
import { matchBrackets, tokenise } from './tokens.mjs';

const ID = /^[A-Z]{2}-\d+$/;
const LEADING_IDS = /^[A-Z]{2}-\d+(?![\w-])(?:(?:,\s*|\s+)[A-Z]{2}-\d+(?![\w-]))*/;
/** Of `it.each(rows)('title')` the first call gives the rows, the second the title. */
const FACTORIES = new Set(['each', 'for', 'prop', 'skipIf', 'runIf']);

/**
 * The rules that one chapter defines: first or last cell of a table row, or a bullet's bold start.
 *
 * @param {string} text
 * @returns {{ status: string | undefined, ids: string[] }}
 */
export function readChapter(text) {
  const status = /^Status: (.+)$/m.exec(text)?.[1];
  const ids = [];
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
    const bullet = /^- \*\*([A-Z]{2}-\d+)\*\*/.exec(line);
    const id = bullet?.[1] ?? [cells[1], cells.at(-2)].find((cell) => ID.test(cell ?? ''));
    if (id !== undefined) ids.push(id);
  }
  return { status, ids };
}

/** @param {string} title @returns {string[]} */
export function citedIds(title) {
  return LEADING_IDS.exec(title)?.[0].split(/[,\s]+/) ?? [];
}

/**
 * The tests of one file. `title` is undefined where it is an expression; of a template it is the part before the first
 * substitution.
 *
 * @param {string} source
 * @returns {{ title: string | undefined, line: number, ids: string[] }[]}
 */
export function readTests(source) {
  const tokens = tokenise(source);
  const closedBy = matchBrackets(tokens);
  const tests = [];
  const groups = [];
  for (let index = 0; index < tokens.length; index++) {
    const call = readCall(tokens, closedBy, index);
    if (call === undefined) continue;
    const { open, title } = call;
    const own = citedIds(title ?? '');
    if (tokens[index].text === 'describe') {
      groups.push({ end: closedBy.get(open), ids: own });
    } else {
      const around = groups.filter((group) => index < group.end).flatMap((group) => group.ids);
      tests.push({ title, line: tokens[index].line, ids: [...new Set([...own, ...around])] });
    }
  }
  return tests;
}

function readCall(tokens, closedBy, start) {
  const name = tokens[start];
  if (name.kind !== 'word' || !['it', 'test', 'describe'].includes(name.text)) return undefined;
  if (tokens[start - 1]?.text === '.') return undefined;
  let index = start + 1;
  let factory = false;
  while (tokens[index]?.text === '.' && tokens[index].kind === 'punct') {
    factory ||= FACTORIES.has(tokens[index + 1]?.text);
    index += 2;
  }
  if (factory) index = afterFactoryCall(tokens, closedBy, index);
  if (!isPunct(tokens[index], '(')) return undefined;
  const after = tokens[closedBy.get(index) + 1];
  // A method or type member that happens to have the name: `test(text) {` or `test(text): boolean`.
  if (isPunct(after, '{') || isPunct(after, ':')) return undefined;
  const first = tokens[index + 1];
  const literal = first?.kind === 'string' || first?.kind === 'template';
  return { open: index, title: literal ? first.text : undefined };
}

function afterFactoryCall(tokens, closedBy, start) {
  let index = start;
  if (isPunct(tokens[index], '<')) {
    let depth = 0;
    do {
      if (isPunct(tokens[index], '<')) depth++;
      if (isPunct(tokens[index], '>') && !isPunct(tokens[index - 1], '=')) depth--;
      index++;
    } while (depth > 0 && index < tokens.length);
  }
  if (isPunct(tokens[index], '(')) return closedBy.get(index) + 1;
  if (tokens[index]?.kind !== 'template') return index;
  index++;
  while (isPunct(tokens[index], '${')) index = closedBy.get(index) + 2;
  return index;
}

function isPunct(token, text) {
  return token?.kind === 'punct' && token.text === text;
}

/**
 * @param {Map<string, string>} chapters
 * @param {Map<string, string>} testFiles
 */
export function checkRules(chapters, testFiles) {
  const errors = [];
  const rules = collectRules(chapters, errors);
  errors.push(...checkContents(chapters));
  for (const [path, source] of testFiles) {
    for (const { title, line, ids } of readTests(source)) {
      const place = `${path}:${line}`;
      if (ids.length === 0) errors.push(`${place}: the title cites no rule: ${title ?? '(an expression)'}`);
      for (const id of ids) {
        if (rules.has(id)) rules.get(id).tests.push(`${place} ${title ?? ''}`.trim());
        else errors.push(`${place}: ${id} is not defined in docs/spec`);
      }
    }
  }
  for (const [id, rule] of rules) {
    if (rule.status === 'in force' && rule.tests.length === 0) errors.push(`${rule.chapter}: no test cites ${id}`);
  }
  return { rules, errors };
}

/** @returns {Map<string, { chapter: string, status: string, tests: string[] }>} */
function collectRules(chapters, errors) {
  const rules = new Map();
  for (const [chapter, text] of chapters) {
    const { status, ids } = readChapter(text);
    if (ids.length > 0 && status !== 'in force' && status !== 'planned') {
      errors.push(`${chapter}: the status line must say "in force" or "planned"`);
    }
    for (const id of ids) {
      if (rules.has(id)) errors.push(`${chapter}: ${id} is defined twice`);
      else rules.set(id, { chapter, status, tests: [] });
    }
  }
  return rules;
}

/** The table of the README and the chapters name the same files, prefixes and statuses. */
function checkContents(chapters) {
  const errors = [];
  for (const [path, text] of chapters) {
    if (!path.endsWith('/README.md')) continue;
    const folder = path.slice(0, -'README.md'.length);
    const rows = new Map();
    for (const [, file, prefixes, status] of text.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \| ([^|]+) \| ([^|]+) \|$/gm)) {
      rows.set(folder + file, `${prefixes.trim()}: ${status.trim()}`);
    }
    for (const [chapter, content] of chapters) {
      if (chapter === path || !chapter.startsWith(folder)) continue;
      const { status, ids } = readChapter(content);
      const expected = `${[...new Set(ids.map((id) => id.slice(0, 2)))].join(', ')}: ${status}`;
      const row = rows.get(chapter);
      if (row === undefined) errors.push(`${path}: the table does not list ${chapter}`);
      else if (row !== expected)
        errors.push(`${path}: the table says "${row}" of ${chapter}, which says "${expected}"`);
    }
    for (const chapter of rows.keys()) {
      if (!chapters.has(chapter)) errors.push(`${path}: the table lists ${chapter}, which is not there`);
    }
  }
  return errors;
}

/** @param {ReturnType<typeof checkRules>['rules']} rules @returns {string} */
export function summarise(rules) {
  const all = [...rules];
  const inForce = all.filter(([, rule]) => rule.status === 'in force');
  const planned = all.filter(([, rule]) => rule.status === 'planned');
  const ahead = planned.filter(([, rule]) => rule.tests.length > 0).map(([id]) => id);
  const cited = inForce.filter(([, rule]) => rule.tests.length > 0);
  const tested = ahead.length > 0 ? ` (with tests already: ${ahead.join(', ')})` : '';
  return `rules in force ${inForce.length}, cited ${cited.length}, planned ${planned.length}${tested}`;
}

if (isMain(import.meta.url)) {
  const chapters = readFiles(ROOT, findFiles(ROOT, 'docs/spec', /\.md$/));
  const tests = readFiles(ROOT, findFiles(ROOT, '', /\.test\.(ts|tsx|mjs)$/));
  const { rules, errors } = checkRules(chapters, tests);
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ rules: Object.fromEntries(rules), errors }, null, 2));
  else console.log(summarise(rules));
  reportErrors('check-rules', errors);
}
