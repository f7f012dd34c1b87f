#!/usr/bin/env node
// HS-18: a string in a locator matches any part of any text, in any case: "used" is found in "Never used".
import { findFiles, isMain, ROOT, readFiles, reportErrors } from './files.mjs';
import { matchBrackets, tokenise } from './tokens.mjs';

/** Whose first argument is what to look for; of `getByRole` it is the option `name`. */
const BY_TEXT = new Set(['getByText', 'getByLabel', 'getByPlaceholder', 'getByAltText', 'getByTitle']);

const ROOMS = ['apps', 'packages'];
const isTest = (path) => /\.test\.tsx?$|\/tests\//.test(path);

/**
 * @param {Iterable<readonly [path: string, source: string]>} files
 * @returns {string[]}
 */
export function checkLocators(files) {
  const errors = [];
  for (const [path, source] of files)
    for (const { line, name } of findInexact(source))
      errors.push(`${path}:${line}: ${name} takes part of a text for the whole: say exact: true, or give a pattern`);
  return errors;
}

function* findInexact(source) {
  const tokens = tokenise(source);
  const closedBy = matchBrackets(tokens);
  /** What stands between two brackets, without what stands between others inside. */
  const readLevel = (open) => {
    const level = [];
    for (let index = open + 1; index < closedBy.get(open); index = (closedBy.get(index) ?? index) + 1)
      level.push(index);
    return level;
  };
  for (let index = 1; index < tokens.length - 1; index++) {
    const { kind, text: name, line } = tokens[index];
    if (kind !== 'word' || tokens[index - 1].text !== '.' || tokens[index + 1].text !== '(') continue;
    if (!BY_TEXT.has(name) && name !== 'getByRole') continue;
    const call = readLevel(index + 1);
    const brace = call.findLast((at, nth) => tokens[at].text === '{' && tokens[call[nth - 1]]?.text === ',');
    const options = brace === undefined ? [] : readLevel(brace).map((at) => tokens[at]);
    const wanted = name === 'getByRole' ? findOption(options, 'name') : tokens[call[0]];
    const isPattern = wanted?.kind === 'regex' || wanted?.text === 'new';
    if (wanted !== undefined && !isPattern && findOption(options, 'exact')?.text !== 'true') yield { line, name };
  }
}

/** The first token of an option's value; that of a shorthand is its own name. */
function findOption(options, name) {
  const at = options.findIndex(
    ({ kind, text }, index) => kind === 'word' && text === name && [undefined, ','].includes(options[index - 1]?.text),
  );
  return options[at + 1]?.text === ':' ? options[at + 2] : options[at];
}

if (isMain(import.meta.url)) {
  const paths = ROOMS.flatMap((room) => findFiles(ROOT, room, /\.tsx?$/)).filter(isTest);
  const errors = checkLocators(readFiles(ROOT, paths));
  console.log(`locators: ${paths.length} files, ${errors.length} errors`);
  reportErrors('check-locators', errors);
}
