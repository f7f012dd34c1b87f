import { type CompletionNode, choicePatterns, optionPatterns } from './tree.ts';

/** For bash 3.2 and later, which macOS still has. The shell splits at `=`, so a value may be a word of its own. */
export function writeBash(program: string, nodes: readonly CompletionNode[]): string {
  const name = `_${program}`;
  const arms = (of: (node: CompletionNode) => string) =>
    nodes.flatMap((node) => (of(node) === '' ? [] : [`    '${node.path}') ${of(node)} ;;`])).join('\n');
  const words = (list: readonly string[]) => (list.length === 0 ? '' : `words='${list.join(' ')}'`);
  const commands = nodes.flatMap(({ path, commands: all }) => all.map((one) => `'${path} ${one.name}'`));
  const choices = [...choicePatterns(nodes)].map(([all, patterns]) => `    ${patterns.join('|')}) words='${all}' ;;`);
  return `# bash completion for ${program}. Load it with: source <(${program} completion bash)
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' word words='' files='' skip='' ended='' i
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=''; continue; fi
    if [[ $word == -- ]]; then ended=1; break; fi
    case "$at $word" in
      ${optionPatterns(nodes, () => true).join('|')}) skip=1 ;;
      ${commands.join('|')}) at+=" $word" ;;
    esac
  done
  if [[ -z $ended ]]; then
    case "$at $prev" in
${choices.join('\n')}
      ${optionPatterns(nodes, ({ kind }) => kind === 'file').join('|')}) files=1 ;;
      ${optionPatterns(nodes, ({ kind }) => kind === 'other').join('|')}) return ;;
    esac
  fi
  if [[ -z $words$files && -z $ended && $cur == -* ]]; then
    case "$at" in
${arms(({ options }) => words(options.flatMap(({ flags }) => flags)))}
    esac
  elif [[ -z $words$files ]]; then
    case "$at" in
${arms(({ commands: all, argument }) => {
  if (argument.kind === 'choice') return words(argument.choices);
  return argument.kind === 'file' ? 'files=1' : words(all.map((one) => one.name));
})}
    esac
  fi
  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  elif [[ -n $words ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F ${name} ${program}
`;
}
