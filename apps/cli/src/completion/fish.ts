import { type CompletionNode, optionPatterns, type Value } from './tree.ts';

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function writeFish(program: string, nodes: readonly CompletionNode[]): string {
  const at = `__${program}_at`;
  const commands = nodes.flatMap(({ path, commands: all }) => all.map((one) => `'${path} ${one.name}'`));
  const lines = nodes.flatMap((node) => {
    const here = `complete -c ${program} -n ${quote(`${at} ${quote(node.path)}`)}`;
    return [
      ...node.commands.map((one) => `${here} -a ${one.name} -d ${quote(one.description)}`),
      ...node.options.map(({ flags, description, value }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        return `${here} ${names.join(' ')} -d ${quote(description)}${value === undefined ? '' : ` -r ${given(value)}`}`;
      }),
      ...(node.argument.kind === 'other' ? [] : [`${here} ${given(node.argument)}`]),
    ];
  });
  return `# fish completion for ${program}. Load it with: ${program} completion fish | source
function ${at}
    set -l at ''
    set -l skip
    for word in (commandline -opc)[2..-1]
        if set -q skip[1]
            set skip
            continue
        end
        switch "$at $word"
            case ${optionPatterns(nodes, () => true).join(' ')}
                set skip 1
            case ${commands.join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c ${program} -f
${lines.join('\n')}
`;
}

/** By default no files are offered. */
function given(value: Value): string {
  if (value.kind === 'choice') return `-f -a ${quote(value.choices.join(' '))}`;
  return value.kind === 'file' ? '-F' : '-f';
}
