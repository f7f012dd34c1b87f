import { jsonLanguage } from '@codemirror/lang-json';

interface Span {
  readonly from: number;
  readonly to: number;
}

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
export type JsonNode = Tree['topNode'];

const CONTAINERS = new Set(['Object', 'Array']);

/** Where in a JSON text a JSON Pointer points; if nothing is there, its nearest parent. */
export function findLocation(text: string, pointer: string, tree: Tree = jsonLanguage.parser.parse(text)): Span {
  let node = tree.topNode.firstChild;
  let span: Span = { from: 0, to: Math.min(1, text.length) };
  if (node === null) return span;
  span = mark(node);
  for (const step of stepsOf(pointer)) {
    const next: { value: JsonNode; span: Span } | undefined = enter(text, node, step);
    if (next === undefined) return span;
    node = next.value;
    span = next.span;
  }
  return span;
}

/** The keys and indices that lead to a node, and the node's own name where it is a property's. */
export function pathOf(text: string, node: JsonNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: JsonNode | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    if (parent.name === 'Property' && at.name !== 'PropertyName') path.unshift(keyOf(text, parent));
    if (parent.name === 'Array') path.unshift(valuesOf(parent).findIndex((value) => value.from === at?.from));
  }
  return path;
}

/** The names that an object has already. */
export function keysOf(text: string, object: JsonNode): string[] {
  return object.getChildren('Property').map((property) => keyOf(text, property));
}

function enter(text: string, node: JsonNode, step: string): { value: JsonNode; span: Span } | undefined {
  if (node.name === 'Array') {
    const value = valuesOf(node)[Number(step)];
    return value && { value, span: mark(value) };
  }
  // The last of several of one name is the one that counts.
  const property = node.getChildren('Property').findLast((one) => keyOf(text, one) === step);
  const name = property?.getChild('PropertyName');
  const value = property?.lastChild;
  if (!name || !value || value.name === 'PropertyName') return undefined;
  return { value, span: CONTAINERS.has(value.name) ? { from: name.from, to: name.to } : mark(value) };
}

/** Of an object or array only the first character: the whole would underline half of the document. */
function mark({ name, from, to }: JsonNode): Span {
  return { from, to: CONTAINERS.has(name) ? from + 1 : to };
}

function valuesOf(array: JsonNode): JsonNode[] {
  const values: JsonNode[] = [];
  for (let child = array.firstChild; child !== null; child = child.nextSibling)
    if (!['[', ']', ',', '⚠'].includes(child.name)) values.push(child);
  return values;
}

function keyOf(text: string, property: JsonNode): string {
  const name = property.getChild('PropertyName');
  if (name === null) return '';
  try {
    return String(JSON.parse(text.slice(name.from, name.to)));
  } catch {
    return '';
  }
}

function stepsOf(pointer: string): string[] {
  if (!pointer.startsWith('/')) return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
