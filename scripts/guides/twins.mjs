import { readConsole } from './blocks.mjs';

const HAN = /\p{Script=Han}/u;
const QUOTED = /("(?:\\.|[^"\\])*"|'[^']*')/;
const COMMENT = /(?:^|\s+)(?:#|\/\/) .*$/;

/**
 * Where a guide and its translation tell their readers to do different things. Comments, and quoted words, may be
 * translated.
 *
 * @param {readonly import('./blocks.mjs').Block[]} blocks @param {readonly import('./blocks.mjs').Block[]} twins
 * @returns {string[]}
 */
export function compareTwins(blocks, twins) {
  if (blocks.length !== twins.length) return [`${blocks.length} blocks, and ${twins.length} in the translation`];
  return blocks.flatMap((block, index) => {
    const twin = twins[index];
    const place = `lines ${block.line} and ${twin.line}`;
    const fields = ['language', 'file', 'notRun'].filter((field) => block[field] !== twin[field]);
    if (fields.length > 0) return [`${place}: another ${fields.join(', ')}`];
    return isSameCode(block, twin) ? [] : [`${place}: other code`];
  });
}

function isSameCode({ language, code }, twin) {
  if (language !== 'console') return isSame(code.split('\n'), twin.code.split('\n'));
  if (code.split('\n').length !== twin.code.split('\n').length) return false;
  const commands = (text) => readConsole(text).map(({ command }) => command.replace(' --locale zh-CN', ''));
  return isSame(commands(code), commands(twin.code));
}

const isSame = (lines, twins) =>
  lines.length === twins.length && lines.every((line, index) => isSameLine(line, twins[index]));

function isSameLine(line, twin) {
  const parts = line.replace(COMMENT, '').split(QUOTED);
  const others = twin.replace(COMMENT, '').split(QUOTED);
  return (
    parts.length === others.length &&
    parts.every((part, index) => part === others[index] || (QUOTED.test(part) && HAN.test(others[index])))
  );
}

/** Whether a translated block would run anything else. @param {{ code: string }} block @param {{ code: string }} twin */
export function runsOtherwise({ code }, twin) {
  const withoutComments = (text) => text.split('\n').map((line) => line.replace(COMMENT, ''));
  return withoutComments(code).join('\n') !== withoutComments(twin.code).join('\n');
}
