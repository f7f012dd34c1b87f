import { HOLE, type Language, type Text } from './collect-texts.ts';
import type { Glossary } from './glossary.ts';

/** Whoever reads these writes documents and programs, or runs a server. Everything else is for people. */
const FOR_MAKERS = [
  /^apps\/(?:cli|server)\//,
  /^apps\/web\/src\/screens\/(?:developer|skills|bundles)\//,
  /^packages\/(?:agent|bundles|create-parley-agent|guarded-fetch|documents)\/(?!src\/capability\/(?:presets|preview-texts))/,
  /^packages\/(?:server|skills)\/src\/errors\.ts/,
  /^packages\/skills\/src\/oauth2\//,
];
/** Help and usage are made of commands. */
const OF_COMMANDS = [/^apps\/(?:cli|server)\//, /^packages\/create-parley-agent\//];

const HAN = String.raw`\p{Script=Han}`;
const CODE = /(?<![\w./-])(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+)(?![\w/-]|\.\w)/;
const HALF_WIDTH = new RegExp(`[${HAN}”）][,;:?!()]|[,;:?!()][${HAN}“]|\\.\\.\\.`, 'u');
const NO_SPACE = new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9]${HAN}`, 'u');
const LONE_ELLIPSIS = new RegExp(`(?<=[${HAN}])…(?![…”${HOLE}])(?<!……)`, 'u');

export function findProblems({ where, language, text }: Text, { forbidden, latin }: Glossary): string[] {
  const forMakers = FOR_MAKERS.some((path) => path.test(where));
  const ofCommands = OF_COMMANDS.some((path) => path.test(where));
  const sentence = withoutQuotes(ofCommands ? withoutCommands(text, language) : text);
  const problems = forbidden
    .filter(({ forPeopleOnly, pattern }) => !(forPeopleOnly && forMakers) && pattern.test(sentence))
    .map(({ word }) => `the glossary forbids ${word}`);
  if (!forMakers && CODE.test(text)) problems.push(`it names a code: ${CODE.exec(text)![0]}`);
  if (language === 'zh-CN') {
    if (HALF_WIDTH.test(sentence)) problems.push(`half-width punctuation: ${HALF_WIDTH.exec(sentence)![0]}`);
    if (NO_SPACE.test(sentence)) problems.push(`no space between Chinese and Latin: ${NO_SPACE.exec(sentence)![0]}`);
    if (LONE_ELLIPSIS.test(text)) problems.push('half an ellipsis');
    if (!ofCommands) {
      const foreign = latinWords(sentence).filter((word) => !latin.has(word));
      if (foreign.length > 0) problems.push(`foreign words: ${foreign.join(', ')}`);
    }
  }
  return problems;
}

/** What is quoted is a field, a command or an example: somebody else’s word. */
const withoutQuotes = (text: string) => text.replaceAll(/“[^“”]*”|`[^`]*`|"[^"]*"/g, '“”');

/** Examples and tables of a help text, options, the shape of a JSON; in Chinese also the commands of a program. */
function withoutCommands(text: string, language: Language): string {
  const rest = text.replaceAll(/^ {2}.*$|\{[\s\S]*\}|--[\w-]+(?:[ =]◻)?/gm, '');
  return language === 'zh-CN' ? rest.replaceAll(/◻(?: [a-z][\w-]*)+/g, '') : rest;
}

/** Addresses, paths, variables and options are names, not words. */
function latinWords(text: string): string[] {
  const words = text.replaceAll(
    /(?:@|https?:\/\/|--|\.)[\w./=-]*|[\w-]+(?:[/.][\w.-]*)+|\b[A-Z]+(?:_[A-Z0-9]+)+\b/g,
    '',
  );
  return words.match(/[A-Za-z][\w-]*/g) ?? [];
}
