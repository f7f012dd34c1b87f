import { type CompletionNode, choicePatterns, optionPatterns } from './tree.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** In zsh a colon separates a word from its description. */
const entry = (word: string, description: string): string =>
  quote(`${word.replaceAll(':', '\\:')}:${description.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`);

export function writeZsh(program: string, nodes: readonly CompletionNode[]): string {
  const name = `_${program}`;
  const arms = (of: (node: CompletionNode) => string) =>
    nodes.flatMap((node) => (of(node) === '' ? [] : [`      '${node.path}') ${of(node)} ;;`])).join('\n');
  const list = (entries: readonly string[]) => (entries.length === 0 ? '' : `entries=(${entries.join(' ')})`);
  const commands = nodes.flatMap(({ path, commands: all }) => all.map((one) => `'${path} ${one.name}'`));
  const choices = [...choicePatterns(nodes)].map(
    ([all, patterns]) => `      ${patterns.join('|')}) compadd -- ${all}; return ;;`,
  );
  return `#compdef ${program}
# zsh completion for ${program}. Load it with: source <(${program} completion zsh)
${name}() {
  local at='' word prev='' skip='' ended=''
  local -a entries
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $skip ]]; then skip=''; continue; fi
    if [[ $word == -- ]]; then ended=1; break; fi
    case "$at $word" in
      ${optionPatterns(nodes, () => true).join('|')}) skip=1 ;;
      ${commands.join('|')}) at+=" $word" ;;
    esac
  done
  if [[ -z $ended ]]; then
    [[ -n $skip ]] && prev=$words[CURRENT-1]
    if [[ $PREFIX == --*=* ]]; then prev=\${PREFIX%%=*}; compset -P '*='; fi
    case "$at $prev" in
${choices.join('\n')}
      ${optionPatterns(nodes, ({ kind }) => kind === 'file').join('|')}) _files; return ;;
      ${optionPatterns(nodes, ({ kind }) => kind === 'other').join('|')}) return ;;
    esac
  fi
  if [[ -z $ended && $PREFIX == -* ]]; then
    case "$at" in
${arms(({ options }) => list(options.flatMap(({ flags, description }) => flags.map((flag) => entry(flag, description)))))}
    esac
    _describe -o option entries
  else
    case "$at" in
${arms(({ commands: all, argument }) => {
  if (argument.kind === 'choice') return `compadd -- ${argument.choices.join(' ')}; return`;
  return argument.kind === 'file' ? '_files; return' : list(all.map((one) => entry(one.name, one.description)));
})}
    esac
    (( $#entries )) && _describe command entries
  fi
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}
