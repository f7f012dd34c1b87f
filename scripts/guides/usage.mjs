const PROGRAM = /(?:^|[\s(|;&])(?:(?:npx )?(parley|roleos)|npx @parley\/cli) ([^|;&)<>·\n]*)/g;
const WORD = /^[a-z][a-z-]+$/;

/**
 * The calls of our programs in a text, as words.
 *
 * @param {string} text @returns {{ program: string, words: string[] }[]}
 */
export function findCalls(text) {
  return [...text.matchAll(PROGRAM)].map(([, program = 'parley', rest]) => {
    const bare = rest.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, 'VALUE').replace(/\s#.*/, '');
    return { program, words: bare.trim().split(/\s+/) };
  });
}

/**
 * As much of a program of `commander` as is looked at.
 *
 * @typedef {object} Command
 * @property {() => string} name
 * @property {readonly Command[]} commands
 * @property {readonly { long?: string | undefined }[]} options
 */

/**
 * What a program would not understand: a command or an option that it does not have. Values are not looked at.
 *
 * @param {readonly string[]} words @param {Command} program @returns {string | undefined}
 */
export function findMistake(words, program) {
  let command = program;
  let known = [...program.options];
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner !== undefined) {
      command = inner;
      known = [...known, ...inner.options];
    } else if (command.commands.length > 0 && WORD.test(word) && word !== 'help') {
      return word;
    } else if (word.startsWith('--') && word !== '--help') {
      const [name] = word.split('=');
      if (!known.some(({ long }) => long === name)) return name;
    }
  }
  return undefined;
}

const BROUGHT = /npm i(?:nstall)? [^\n`]*@parley\/cli|clone|克隆/;

/**
 * The first command of a page that npm would fetch under a name that is not ours (PK-3): nothing before it brings
 * `parley` and `roleos` along.
 *
 * @param {string} text @returns {string | undefined}
 */
export function findStranger(text) {
  const call = /npx (?:--yes )?(?:parley|roleos)\b/.exec(text);
  const brought = BROUGHT.exec(text);
  return call !== null && (brought === null || brought.index > call.index) ? call[0] : undefined;
}
