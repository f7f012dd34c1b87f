import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export type Language = 'en' | 'zh-CN';
export interface Text {
  readonly where: string;
  readonly language: Language;
  readonly text: string;
}

/** Where texts are. Whoever adds a package with words adds nothing here: all sources are read. */
const SOURCES = ['apps', 'packages', 'examples'];
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|tests|testkit|scripts|public|fixtures|templates|\.parley)(?:\/|$)/;
/** The Chinese here is matched against what people type or write, and never shown. */
const DATA = new Set([
  'packages/system-agent/src/intents.ts',
  'packages/server/src/search/terms.ts',
  'packages/documents/src/schema/format.ts',
]);

/** Stands for whatever is filled in. */
export const HOLE = '◻';
const HAN = /\p{Script=Han}/u;
/** An English sentence may quote what people say to an agent in Chinese. */
const isChinese = (text: string) =>
  HAN.test(text.replaceAll(/“[^“”]*”/g, '')) || (HAN.test(text) && !/[A-Za-z]/.test(text));
const HOLES = /\{\{\w+\}\}|\{\w+\}/g;

/** Every text that is shown to someone, of all tables and of the places that need none. */
export function collectTexts(): Text[] {
  return SOURCES.flatMap((folder) => list(join(ROOT, folder))).flatMap((file) => {
    const name = relative(ROOT, file).replaceAll('\\', '/');
    if (DATA.has(name)) return [];
    const source = readFileSync(file, 'utf8');
    if (!HAN.test(source) && !/(?:\.en|\/en)\.ts$/.test(name)) return [];
    return name.endsWith('.json') ? readDocument(name, source) : readSource(name, source);
  });
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.test(relative(ROOT, path).replaceAll('\\', '/'))) return [];
    if (entry.isDirectory()) return list(path);
    return /(?<!\.test)\.tsx?$|\/manifest\.json$/.test(path.replaceAll('\\', '/')) ? [path] : [];
  });
}

/** The texts that a capability manifest brings along. */
function readDocument(name: string, source: string): Text[] {
  const found: Text[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { en, 'zh-CN': zh } = value as Record<string, unknown>;
    if (typeof en === 'string' && typeof zh === 'string') {
      found.push({ where: name, language: 'en', text: en }, { where: name, language: 'zh-CN', text: zh });
    }
    Object.values(value).forEach(visit);
  };
  visit(JSON.parse(source));
  return found;
}

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

/**
 * Chinese is whatever is written with Chinese characters. English is what stands beside it: `{ en, 'zh-CN' }`,
 * `say(en, zh)`, `[en, zh]`, and the tables that are called `en`.
 */
export function readSource(name: string, source: string): Text[] {
  const found: Text[] = [];
  const add = (node: Node, language: Language, text: string) => {
    const line = source.slice(0, node.start).split('\n').length;
    found.push({ where: `${name}:${line}`, language, text: text.replaceAll(HOLES, HOLE) });
  };
  const addEnglish = (node: unknown) =>
    walk(node as Node, (one) => {
      const text = textOf(one);
      if (text !== undefined && !HAN.test(text)) add(one, 'en', text);
    });
  const program = parseAst(source, { lang: name.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  walk(program, (node) => {
    const text = textOf(node);
    if (text !== undefined && isChinese(text)) add(node, 'zh-CN', text);
    if (node.type === 'ObjectExpression') {
      const properties = node.properties as Node[];
      const named = (key: string) => properties.find((one) => nameOf(one.key as Node | undefined) === key)?.value;
      if (named('zh-CN') !== undefined) addEnglish(named('en'));
    }
    if (node.type === 'CallExpression' || node.type === 'ArrayExpression') {
      const parts = (node.arguments ?? node.elements) as (Node | null)[];
      const texts = parts.map((part) => (part === null ? undefined : textOf(part)));
      if (texts.some((one) => one !== undefined && isChinese(one))) {
        for (const [index, part] of parts.entries()) if (texts[index] !== undefined) addEnglish(part);
      }
    }
    if (node.type === 'VariableDeclarator' && /^en$|En$/.test(nameOf(node.id as Node) ?? '')) addEnglish(node.init);
  });
  return found;
}

function walk(node: Node | null | undefined, visit: (node: Node) => void): void {
  if (typeof node?.type !== 'string') return;
  visit(node);
  for (const [key, value] of Object.entries(node)) {
    // The name of a property is no text, nor is the type of anything.
    if (node.type === 'Property' && key === 'key') continue;
    for (const child of [value].flat()) walk(child as Node, visit);
  }
}

function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node.name);
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE);
}
