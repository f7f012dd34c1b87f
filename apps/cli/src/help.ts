import { type Command, Help, type HelpConfiguration } from 'commander';
import type { MessageKey, Words } from './messages/index.ts';
import type { Paint } from './paint.ts';
import { plainWidth } from './plain-width.ts';
import { wrapText } from './wrap-text.ts';

const TITLES: Readonly<Record<string, MessageKey>> = {
  'Usage:': 'help.title.usage',
  'Arguments:': 'help.title.arguments',
  'Options:': 'help.title.options',
  'Global Options:': 'help.title.global_options',
  'Commands:': 'help.title.commands',
};

/** Prints Commander's help in our languages: Commander has only English titles and counts a Chinese character as one column. */
export function configureHelp(words: Words, paint: Paint): HelpConfiguration {
  return {
    showGlobalOptions: true,
    styleTitle: (title) => paint('bold', TITLES[title] === undefined ? title : words.say(TITLES[title])),
    // The descriptions already list the choices.
    optionDescription: (option) => option.description,
    visibleGlobalOptions: (command: Command) =>
      withGlobals.visibleGlobalOptions(command).filter((option) => option.long !== '--version'),
    displayWidth: plainWidth,
    boxWrap: (text, columns) => wrapText(text, { columns, measure: plainWidth }),
  };
}

const withGlobals = Object.assign(new Help(), { showGlobalOptions: true });
