const FENCE = /^```(\S*)\s*$/;
/** Every other way to write one would hide a block from whoever reads them here. */
const FENCE_LIKE = /^\s*(?:```|~~~)/;
const MARK = /^<!-- guide-test: not run, (.+) -->$/;
const MARK_LIKE = /^\s*<!--.*guide-test/;
/** `agent.mjs`, `my-team/manifest.json`: what a guide tells its reader to save. */
const FILE_NAME = /`([\w-]+(?:\/[\w-]+)*\.(mjs|json|ya?ml))`/g;
const EXTENSIONS = { js: ['mjs'], json: ['json'], yaml: ['yml', 'yaml'] };

/**
 * @typedef {object} Block
 * @property {number} line Of its first line of code, counted from 1.
 * @property {string} language
 * @property {string} code
 * @property {string | undefined} file The name that the words before it give it.
 * @property {string | undefined} notRun The reason why nobody runs it here.
 * @property {string} words The paragraph before it.
 */

/**
 * The code of a guide, in the order in which it is read.
 *
 * @param {string} text @returns {Block[]}
 */
export function readBlocks(text) {
  const blocks = [];
  const lines = text.split('\n');
  let before = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = FENCE.exec(lines[index]);
    if (opening === null) {
      if (FENCE_LIKE.test(lines[index]))
        throw new Error(`line ${index + 1}: a block begins with \`\`\` and its language`);
      if (lines[index].startsWith('#')) {
        refuseMarks(before);
        before = [];
      } else before.push(lines[index]);
      continue;
    }
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`line ${index + 1}: the block has no end`);
    blocks.push(describe(opening[1], lines.slice(index + 1, end), { line: index + 2, before }));
    before = [];
    index = end;
  }
  refuseMarks(before);
  return blocks;
}

function refuseMarks(lines) {
  const mark = lines.find((line) => MARK_LIKE.test(line));
  if (mark !== undefined) throw new Error(`${mark}: a mark stands right before a block, and gives a reason`);
}

function describe(language, code, { line, before }) {
  const notRun = MARK.exec(before.at(-1) ?? '')?.[1];
  const prose = notRun === undefined ? before : before.slice(0, -1);
  refuseMarks(prose);
  const paragraphs = prose
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  const words = paragraphs.at(-1);
  const names = [...words.matchAll(FILE_NAME)].filter(([, , extension]) => EXTENSIONS[language]?.includes(extension));
  return { line, language, code: `${code.join('\n')}\n`, file: names.at(-1)?.[1], notRun, words };
}

/**
 * The commands of a block whose lines begin with a prompt, each with what it prints.
 *
 * @param {string} code @returns {{ command: string, shown: string[] }[]}
 */
export function readConsole(code) {
  const steps = [];
  for (const line of code.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] });
    else if (steps.length === 0) throw new Error('a console block begins with "$ " and a command');
    else steps.at(-1).shown.push(line);
  }
  return steps;
}

/**
 * Whether a command printed what a guide shows. `…` stands for anything within a line, alone for any number of lines.
 *
 * @param {readonly string[]} shown @param {string} printed @returns {boolean}
 */
export function isPrinted(shown, printed) {
  const source = shown
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${toPattern(line.trimEnd())} *\\n`))
    .join('');
  return new RegExp(`^${source}$`).test(`${printed.trimEnd()}\n`);
}

const toPattern = (line) =>
  line
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');

const UNTIL_CTRL_C = /\s+#[^#]*Ctrl-C[^#]*$/;

/**
 * A block whose last command runs until Ctrl-C, as its comment says: after it nothing can be typed.
 *
 * @param {string} code @returns {{ before: string, lasting: string | undefined }}
 */
export function splitLasting(code) {
  const lines = code.trimEnd().split('\n');
  const index = lines.findIndex((line) => UNTIL_CTRL_C.test(line));
  if (index === -1) return { before: code, lasting: undefined };
  if (index < lines.length - 1) throw new Error(`nothing can be typed after: ${lines[index]}`);
  return { before: `${lines.slice(0, -1).join('\n')}\n`, lasting: lines[index].replace(UNTIL_CTRL_C, '') };
}
