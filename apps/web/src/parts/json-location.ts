import type { jsonLanguage } from '@codemirror/lang-json';
import { locatePointers } from '@parley/documents';

interface Span {
  readonly from: number;
  readonly to: number;
}

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
export type JsonNode = Tree['topNode'];

/** Finds the value of a JSON Pointer in a JSON text, or its nearest parent. */
export function findLocation(text: string, pointer: string, located = locatePointers(text, [pointer])): Span {
  const location = located.get(pointer);
  if (location === undefined) return { from: 0, to: Math.min(1, text.length) };
  const { value, key, isContainer } = location;
  // A container is marked at its name or first character, because marking all of it would underline half of the document.
  const { start, end } = isContainer ? (key ?? value) : value;
  return { from: start, to: end };
}

/** Returns the keys and indices that lead to a node, and the name if the node is a property. */
export function pathOf(text: string, node: JsonNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: JsonNode | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    if (parent.name === 'Property' && at.name !== 'PropertyName') path.unshift(keyOf(text, parent));
    if (parent.name === 'Array') path.unshift(valuesOf(parent).findIndex((value) => value.from === at?.from));
  }
  return path;
}

/** Returns the names that an object already has. */
export function keysOf(text: string, object: JsonNode): string[] {
  return object.getChildren('Property').map((property) => keyOf(text, property));
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
