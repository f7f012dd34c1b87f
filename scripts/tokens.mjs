/**
 * TypeScript source as a flat list of tokens, enough to find calls and imports without a compiler: comments are gone,
 * and what stands in a string, a template or a regular expression is never mistaken for code.
 *
 * @typedef {object} Token
 * @property {'word' | 'string' | 'template' | 'chunk' | 'regex' | 'punct'} kind
 *   `template` is the text of a template up to its first substitution, `chunk` each later piece.
 * @property {string} text Contents of strings and templates as written, without the quotes.
 * @property {number} line Counted from 1.
 */

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const WORD = /[\p{ID_Start}$_#@\d][\p{ID_Continue}$\u200c\u200d]*/uy;
// An unterminated string ends with its line, so that an apostrophe in JSX text costs one line and not the file.
const STRING = /'((?:[^'\\\n]|\\[\s\S])*)'?|"((?:[^"\\\n]|\\[\s\S])*)"?/y;
const CHUNK = /((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)(`|\$\{|$)/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
/** Words that a value follows. */
const OPERATORS = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'throw',
  'new',
  'await',
]);

/** @param {string} source @returns {Token[]} */
export function tokenise(source) {
  const tokens = [];
  const braces = [];
  let at = 0;
  let line = 1;

  const take = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  const advance = (length) => {
    for (let i = at; i < at + length; i++) if (source[i] === '\n') line++;
    at += length;
  };
  const push = (kind, text, length) => {
    tokens.push({ kind, text, line });
    advance(length);
  };
  const pushChunk = (kind) => {
    const chunk = take(CHUNK);
    push(kind, chunk[1], chunk[1].length);
    if (chunk[2] === '${') {
      braces.push('${');
      push('punct', '${', 2);
    } else {
      advance(chunk[2].length);
    }
  };
  while (at < source.length) {
    const skipped = take(SPACE) ?? take(COMMENT);
    if (skipped) {
      advance(skipped[0].length);
      continue;
    }
    const word = take(WORD);
    const string = word ? null : take(STRING);
    const regex = word || string || source[at] !== '/' || isValue(tokens.at(-1)) ? null : take(REGEX);
    if (word) push('word', word[0], word[0].length);
    else if (string) push('string', string[1] ?? string[2], string[0].length);
    else if (regex) push('regex', regex[0], regex[0].length);
    else if (source[at] === '`') {
      advance(1);
      pushChunk('template');
    } else {
      const mark = source[at];
      push('punct', mark, 1);
      if (mark === '{') braces.push('{');
      else if (mark === '}' && braces.pop() === '${') pushChunk('chunk');
    }
  }
  return tokens;
}

/** After a value a slash divides, elsewhere it starts a regular expression. */
function isValue(token) {
  if (token?.kind === 'word') return !OPERATORS.has(token.text);
  return token !== undefined && (token.kind !== 'punct' || [')', ']', '}'].includes(token.text));
}

const CLOSERS = { '(': ')', '[': ']', '{': '}', '${': '}' };

/**
 * For each opening bracket's index the index of the one that closes it; one left open is closed by the end.
 *
 * @param {readonly Token[]} tokens @returns {Map<number, number>}
 */
export function matchBrackets(tokens) {
  const closedBy = new Map();
  const open = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'punct') return;
    if (token.text in CLOSERS) open.push(index);
    else if (open.length > 0 && CLOSERS[tokens[open.at(-1)].text] === token.text) closedBy.set(open.pop(), index);
  });
  for (const index of open) closedBy.set(index, tokens.length);
  return closedBy;
}
