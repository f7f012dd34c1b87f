import type { CommanderError } from 'commander';
import { CommandError, type Sentence } from './command-error.ts';
import type { MessageKey } from './messages/index.ts';
import { ownCommand } from './own-command.ts';

const KEYS: Readonly<Record<string, MessageKey>> = {
  'commander.unknownOption': 'usage.unknown_option',
  'commander.unknownCommand': 'usage.unknown_command',
  'commander.missingArgument': 'usage.missing_argument',
  'commander.missingMandatoryOptionValue': 'usage.missing_option',
  'commander.optionMissingArgument': 'usage.option_argument_missing',
  'commander.excessArguments': 'usage.excess_arguments',
  'commander.help': 'usage.missing_command',
};

/** Translates an error of Commander: its code selects the sentence, the quoted parts are the parameters. */
export function explainUsage(error: CommanderError, command: string): CommandError {
  return new CommandError('USAGE', {
    sentences: [...describe(error), { key: 'usage.see_help', params: { command: ownCommand(command) } }],
  });
}

function describe({ code, message }: CommanderError): Sentence[] {
  const quoted = [...message.matchAll(/'([^']*)'/g)].map((match) => match[1]!);
  const name = quoted[0] ?? '';
  if (code === 'commander.invalidArgument') {
    // For an option the first quoted part is the name, for an argument the value.
    const [subject, value] = message.includes('command-argument value') ? [quoted[1], name] : [name, quoted[1]];
    const params = { name: subject ?? '', value: value ?? '' };
    const choices = /choices are (.*)\.$/.exec(message)?.[1];
    if (choices !== undefined) return [{ key: 'usage.invalid_value', params: { ...params, choices } }];
    // Where there are no choices, the reader of the value says what it wants, in the right language.
    const reason = /is invalid\. (.*)$/.exec(message)?.[1] ?? '';
    return [{ key: 'usage.refused_value', params: { ...params, reason } }];
  }
  const key = KEYS[code];
  if (key === undefined) return [{ key: 'internal', params: { reason: message } }];
  const similar = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message)?.[1];
  const hint: Sentence[] = similar === undefined ? [] : [{ key: 'usage.did_you_mean', params: { name: similar } }];
  return [{ key, params: { name } }, ...hint];
}
