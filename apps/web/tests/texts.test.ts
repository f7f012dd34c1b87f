/// <reference types="vite/client" />
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));
const files = (ending: RegExp) =>
  readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
const nameOf = (file: string) => relative(SOURCE, file).replaceAll('\\', '/');

type Tree = { readonly [key: string]: string | Tree };
interface Table {
  readonly name: string;
  readonly en: Tree;
  readonly zh: Tree;
}

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flatten(value, `${prefix}${key}.`)],
    ),
  );
}

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

const TABLES = import.meta.glob<Record<string, Record<string, Tree>>>('../src/**/texts.ts', {
  eager: true,
});

const readTables = (): Table[] =>
  Object.values(TABLES)
    .flatMap((module) => Object.entries(module))
    .map(([name, texts]) => ({ name, en: texts.en!, zh: texts['zh-CN']! }));

describe('HS-6, HS-10 what the page says', () => {
  it('HS-6 both languages have the same keys, each with the same holes and none empty', async () => {
    const tables = readTables();
    expect(tables.length).toBeGreaterThan(8);
    for (const { name, en, zh } of tables) {
      const [english, chinese] = [flatten(en), flatten(zh)];
      expect([...chinese.keys()].sort(), name).toEqual([...english.keys()].sort());
      for (const [key, text] of english) {
        expect(text.trim(), `${name}:${key}`).not.toBe('');
        expect(chinese.get(key)?.trim(), `${name}:${key}`).not.toBe('');
        expect(holes(chinese.get(key)!), `${name}:${key}`).toEqual(holes(text));
      }
    }
  });

  it('HS-6 the Chinese is Chinese: what is the same in both languages is a name', async () => {
    const same = readTables().flatMap(({ name, en, zh }) =>
      [...flatten(en)]
        .filter(([key, text]) => flatten(zh).get(key) === text)
        .map(([key, text]) => ({ name, key, text })),
    );
    const words = (text: string) => text.replaceAll(/\{\{\w+\}\}/g, '').match(/[A-Za-z][\w-]*/g) ?? [];
    expect(same.filter(({ text }) => words(text).length > 3)).toEqual([]);
  });

  it('HS-6 every key that is asked for exists', async () => {
    const tables = new Map(readTables().map(({ name, en }) => [name, new Set(flatten(en).keys())]));
    const missing: string[] = [];
    for (const file of files(/\.tsx?$/)) {
      const source = readFileSync(file, 'utf8');
      const spaces = [...source.matchAll(/useTranslation\((?:'(\w+)'|\[([^\]]+)\])\)/g)].flatMap(([, one, many]) =>
        one === undefined ? [...many!.matchAll(/\w+/g)].map(([name]) => name) : [one],
      );
      const known = spaces.flatMap((space) => [...(tables.get(space) ?? [])]);
      for (const [, space, key] of source.matchAll(/\bt\(\s*'(?:(\w+):)?([\w.]+)'/g)) {
        const keys = space === undefined ? known : [...(tables.get(space) ?? [])];
        if (!keys.some((one) => one === key || one.startsWith(`${key}_`))) missing.push(`${nameOf(file)}: ${key}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('HS-10 no component has words of its own', () => {
    expect(
      files(/\.tsx$/).flatMap((file) =>
        findWords(readFileSync(file, 'utf8')).map((text) => `${nameOf(file)}: ${text}`),
      ),
    ).toEqual([]);
  });

  it('HS-10 the search for them finds them', () => {
    expect(findWords('<p className="x">Hello there</p>')).toEqual(['Hello there']);
    expect(findWords('<input placeholder="Your name" />')).toEqual(['Your name']);
    expect(findWords('<b aria-label={`Close it`}>{x}</b>')).toEqual(['Close it']);
    expect(findWords("<b title={ok ? 'Yes, do' : t('no')} />")).toEqual(['Yes, do']);
    expect(findWords('<p>{t("x")} · <b>{a}</b>, 中文</p>')).toEqual([', 中文']);
    expect(findWords("<p className='wide open'>{a === 'one two' && t('three four')}</p>")).toEqual([]);
  });
});

/** The name of the product, names of languages in themselves, and what could be typed in. */
const NAMES = new Set(['Parley', 'English', '简体中文', 'com.example']);
/** Attributes that are read or heard. */
const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'lead', 'hint', 'action']);

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Literal text between tags, or in attributes that are read or heard. */
function findWords(source: string): string[] {
  const found: string[] = [];
  visit(parseAst(source, { lang: 'tsx' }) as unknown as Node);
  return found.filter((text) => /\p{L}{2}/u.test(text) && !NAMES.has(text));

  function visit(node: Node): void {
    if (node.type === 'JSXText') found.push(String(node.value).trim());
    if (node.type === 'JSXAttribute' && SPOKEN.has(String((node.name as Node).name))) say(node.value as Node | null);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as Node[]) if (child.type === 'JSXExpressionContainer') say(child);
    }
    for (const child of childrenOf(node)) visit(child);
  }

  /** What an expression comes to, as far as it is written there: not what is handed to functions or compared. */
  function say(node: Node | null): void {
    switch (node?.type) {
      case 'Literal':
        if (typeof node.value === 'string') found.push(node.value.trim());
        return;
      case 'TemplateLiteral':
        found.push(...(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked.trim()));
        return;
      case 'JSXExpressionContainer':
        say(node.expression as Node);
        return;
      case 'ConditionalExpression':
        say(node.consequent as Node);
        say(node.alternate as Node);
        return;
      case 'LogicalExpression':
        say(node.right as Node);
    }
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}
