import { parseAst } from 'vite';

const MAKERS = new Set(['eval', 'Function']);

/** Finds where a module names `eval` or `Function` as values: in code, not in comments, types or names of members. */
export function findCodeMakers(source) {
  const found = [];
  visit(parseAst(source), (node) => {
    if (node.type === 'Identifier' && MAKERS.has(node.name)) found.push(node.name);
    if (node.type === 'MemberExpression' && isGlobal(node.object) && MAKERS.has(nameOf(node))) found.push(nameOf(node));
  });
  return found;
}

const isGlobal = ({ type, name }) => type === 'Identifier' && ['globalThis', 'global', 'window', 'self'].includes(name);
const nameOf = ({ property }) => property.name ?? property.value;

/** Visits all nodes, but not the names that come after a dot or before a colon. */
function visit(node, see) {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  if (typeof node?.type !== 'string') return;
  see(node);
  for (const [key, part] of Object.entries(node)) {
    const isName = (key === 'property' || key === 'key') && node.computed === false;
    if (typeof part === 'object' && !isName) visit(part, see);
  }
}
