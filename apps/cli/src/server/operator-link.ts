import type { OperatorLink } from '@parley/app-server';
import type { Words } from '../messages/index.ts';

/** A line for whoever runs a server without an operator. What is no terminal may be a log, which others read. */
export function describeOperatorLink(operator: OperatorLink | undefined, words: Words): string {
  if (operator === undefined) return '';
  const { link, file } = operator;
  return `${process.stdout.isTTY ? words.say('start.operator_link', { link }) : words.say('start.operator_file', { file })}\n`;
}
