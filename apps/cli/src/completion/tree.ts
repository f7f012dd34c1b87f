import type { Argument, Command, Option } from 'commander';

/** What a shell can offer as the value of an option or an argument. */
export type Value =
  | { readonly kind: 'file' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'other' };

interface CompletionOption {
  /** All names, such as `-f` and `--force`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Set only if a value must follow. */
  readonly value: Value | undefined;
}

/** One command with everything that may follow it. */
export interface CompletionNode {
  /** Its words without the program's name, each after a space, such as ` manifest diff`; for the program itself it is empty. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletionOption[];
  readonly argument: Value;
}

/** Names of arguments and values that stand for a file or a folder. */
const ON_DISK = new Set(['file', 'files', 'folder', 'module', 'old', 'new', 'bundle', 'skill']);

/** Lists every command of a program, beginning with the program itself. */
export function describeTree(command: Command, path = ''): CompletionNode[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((child) => ({
    name: child.name(),
    description: help.subcommandDescription(child),
  }));
  const options = [...help.visibleOptions(command), ...(path === '' ? [] : help.visibleGlobalOptions(command))];
  const node: CompletionNode = {
    path,
    commands,
    options: options.map(describeOption),
    argument: describeArguments(command.registeredArguments),
  };
  const asked = commands.filter(({ name }) => name !== 'help');
  // `help` takes the name of a command.
  const about: CompletionNode[] =
    asked.length === commands.length ? [] : [{ ...node, path: `${path} help`, commands: asked, options: [] }];
  return [node, ...about, ...command.commands.flatMap((child) => describeTree(child, `${path} ${child.name()}`))];
}

function describeOption({ short, long, description, required, argChoices, flags }: Option): CompletionOption {
  const name = /<([\w-]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: required ? describeValue(name, argChoices) : undefined,
  };
}

/** All arguments share one kind of value, so that no shell has to count them. */
function describeArguments(all: readonly Argument[]): Value {
  const values = all.map((argument) => describeValue(argument.name(), argument.argChoices));
  return values.find(({ kind }) => kind !== 'other') ?? { kind: 'other' };
}

function describeValue(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'choice', choices };
  return { kind: ON_DISK.has(name) ? 'file' : 'other' };
}

/** Builds the patterns of a `case` over ` path --option` for all options that `wanted` accepts. */
export function optionPatterns(nodes: readonly CompletionNode[], wanted: (value: Value) => boolean): string[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== undefined && wanted(value))
      .flatMap(({ flags }) => flags.map((flag) => `'${path} ${flag}'`)),
  );
}

/** Groups the patterns of options by their choices. */
export function choicePatterns(nodes: readonly CompletionNode[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, options } of nodes) {
    for (const { flags, value } of options) {
      if (value?.kind !== 'choice') continue;
      const choices = value.choices.join(' ');
      found.set(choices, [...(found.get(choices) ?? []), ...flags.map((flag) => `'${path} ${flag}'`)]);
    }
  }
  return found;
}
