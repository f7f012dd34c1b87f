import { posix } from 'node:path';
import { tokenise } from './tokens.mjs';

/** Longer declarations are data (tables, schemas of routes): their text would hide every other change. */
const MAX_LINES = 60;

const head = (name) => `# What \`${name}\` exports

<!-- Generated from its declarations by \`npm run generate\`. Do not edit. -->

A change of this page is a change for whoever imports the package. "Reachable" are the types that an exported declaration
names and that cannot be imported themselves.
`;

/**
 * The page of one package: each name that it exports, with its declaration.
 *
 * @param {{ name: string, exports: Record<string, { types: string }> }} manifest
 * @param {(path: string) => string} read The text of a declaration file, by its path in the package.
 * @returns {string}
 */
export function renderApi({ name, exports }, read) {
  const modules = new Map();
  const load = (path) => modules.get(path) ?? modules.set(path, parseDeclarations(read(path))).get(path);
  const sections = Object.entries(exports).flatMap(([subpath, target]) => {
    // A program that is started by its path exports nothing.
    if (target.types === undefined) return [];
    const entry = posix.normalize(target.types);
    const shown = new Map();
    const names = [...load(entry).exported.keys()].sort();
    const own = names.map((exported) => show(exported, resolve(load, entry, exported), { load, shown }));
    const reachable = followReferences(load, shown);
    return [
      `## \`${posix.join(name, subpath)}\``,
      fence(own.join('\n')),
      ...(reachable.length === 0 ? [] : ['Reachable:', fence(reachable.join('\n'))]),
    ].join('\n\n');
  });
  return `${[head(name), ...sections].join('\n')}\n`;
}

/**
 * What a declaration file says: `declared` by name (several for overloads), `imported` and `exported` names with the file
 * they come from. The compiler writes each declaration from the first column on and indents what is inside.
 *
 * @param {string} text
 */
function parseDeclarations(text) {
  const declared = new Map();
  const imported = new Map();
  const exported = new Map();
  for (const statement of splitStatements(text)) {
    const reexport = /^(import|export) (?:type )?(\{[\s\S]*\}|\* as \w+|\w+)(?:, (\{[\s\S]*\}))? from '([^']+)';$/.exec(
      statement,
    );
    if (reexport !== null) {
      const [, kind, first, second = '', from] = reexport;
      const target = kind === 'import' ? imported : exported;
      for (const { outer, inner } of [...readNames(first), ...readNames(second)]) target.set(outer, { inner, from });
      continue;
    }
    const local = /^export (?:type )?(\{[\s\S]*\});$/.exec(statement);
    if (local !== null) {
      for (const { outer, inner } of readNames(local[1])) exported.set(outer, { inner });
      continue;
    }
    const declaration =
      /^(export )?(?:default )?(?:declare )?(?:abstract )?(const|let|function|class|interface|type|enum|namespace) ([\w$]+)/.exec(
        statement,
      );
    if (declaration === null) continue;
    const [, isExported, , name] = declaration;
    declared.set(name, [...(declared.get(name) ?? []), statement.replace(/^export (declare )?|^declare /, '')]);
    if (isExported) exported.set(name, { inner: name });
  }
  return { declared, imported, exported };
}

function splitStatements(text) {
  const statements = [];
  for (const line of text.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').split('\n')) {
    if (line === '' || line.startsWith('//')) continue;
    if (/^[\s})\]>]/.test(line) && statements.length > 0) statements[statements.length - 1] += `\n${line}`;
    else statements.push(line);
  }
  return statements;
}

function readNames(clause) {
  const all = /^\* as (\w+)$/.exec(clause);
  if (all !== null) return [{ outer: all[1], inner: '*' }];
  if (!clause.startsWith('{')) return clause === '' ? [] : [{ outer: clause, inner: 'default' }];
  return clause
    .slice(1, -1)
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [inner, outer = inner] = part.split(' as ');
      return { inner, outer };
    });
}

/** Where a name of a file is declared, through re-exports and imports. */
function resolve(load, path, name) {
  const { declared, imported, exported } = load(path);
  const found = exported.get(name);
  const source = found?.from === undefined ? imported.get(found?.inner ?? name) : found;
  if (declared.has(found?.inner ?? name) && found?.from === undefined) return { path, name: found?.inner ?? name };
  if (source === undefined) return undefined;
  if (!source.from.startsWith('.')) return { external: source.from, name: source.inner };
  const target = toDeclarations(posix.join(posix.dirname(path), source.from));
  return source.inner === '*' ? { path: target, name: '*' } : resolve(load, target, source.inner);
}

const toDeclarations = (path) => path.replace(/\.(tsx?|js)$/, '.d.ts');

function show(exported, place, { load, shown }) {
  if (place === undefined) throw new Error(`${exported} has no declaration: the reader of declarations is wrong`);
  if (place.external !== undefined) return `// ${exported}: ${place.name} of ${place.external}`;
  if (place.name === '*') return `namespace ${exported} { ${[...load(place.path).exported.keys()].sort().join(', ')} }`;
  shown.set(`${place.path}#${place.name}`, place);
  const renamed = place.name === exported ? '' : `// Exported as ${exported}:\n`;
  return renamed + textOf(load, place);
}

const textOf = (load, { path, name }) => load(path).declared.get(name).map(shorten).join('\n');

function shorten(statement) {
  const lines = statement.split('\n');
  return lines.length <= MAX_LINES ? statement : `${lines[0]}\n    … ${lines.length - 2} lines\n${lines.at(-1)}`;
}

const fence = (text) => `\`\`\`ts\n${text}\n\`\`\``;

/** What the shown declarations name, and what those name in turn. */
function followReferences(load, shown) {
  const found = new Map();
  const queue = [...shown.values()];
  for (const place of queue) {
    const text = textOf(load, place);
    for (const { kind, text: word } of tokenise(text)) {
      if (kind !== 'word') continue;
      const target = resolve(load, place.path, word);
      if (target?.path === undefined || target.name === '*') continue;
      const key = `${target.path}#${target.name}`;
      if (shown.has(key)) continue;
      shown.set(key, target);
      found.set(key, textOf(load, target));
      queue.push(target);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}
