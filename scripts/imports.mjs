import { matchBrackets, tokenise } from './tokens.mjs';

/**
 * @typedef {object} Import
 * @property {string | undefined} specifier Undefined where it is computed.
 * @property {'static' | 'type' | 'deferred'} kind
 *   `type` is erased by the compiler; `deferred` is `import(…)`, as an expression or in a type.
 * @property {number} line
 */

/** Everything a source imports or re-exports. @param {string} source @returns {Import[]} */
export function readImports(source) {
  const tokens = tokenise(source);
  const closedBy = matchBrackets(tokens);
  const imports = [];
  tokens.forEach((token, index) => {
    if (!isCode(token, 'import', 'export') || isCode(tokens[index - 1], '.')) return;
    const deferred = token.text === 'import' && isCode(tokens[index + 1], '(');
    const found = deferred ? readDeferred(tokens, index + 2) : readClause(tokens, closedBy, index + 1);
    if (found !== undefined) imports.push({ ...found, line: token.line });
  });
  return imports;
}

function readDeferred(tokens, index) {
  const name = tokens[index];
  const whole = name?.kind === 'string' || (name?.kind === 'template' && !isCode(tokens[index + 1], '${'));
  return { specifier: whole ? name.text : undefined, kind: 'deferred' };
}

/** `'name'` or `type? names, * and { names } from 'name'`; anything else is an ordinary export. */
function readClause(tokens, closedBy, start) {
  if (tokens[start]?.kind === 'string') return { specifier: tokens[start].text, kind: 'static' };
  const erased = isCode(tokens[start], 'type') && !isCode(tokens[start + 1], 'from', ',');
  for (let at = start; at < tokens.length; at = (closedBy.get(at) ?? at) + 1) {
    const next = tokens[at + 1];
    if (isCode(tokens[at], 'from') && next?.kind === 'string') {
      return { specifier: next.text, kind: erased ? 'type' : 'static' };
    }
    const inClause = tokens[at].kind === 'word' || isCode(tokens[at], ',', '*', '{');
    if (!inClause || isCode(tokens[at], 'import', 'export')) return undefined;
  }
  return undefined;
}

function isCode(token, ...texts) {
  return (token?.kind === 'word' || token?.kind === 'punct') && texts.includes(token.text);
}
