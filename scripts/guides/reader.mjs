import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { findFiles } from '../files.mjs';
import { isPrinted, readConsole } from './blocks.mjs';
import { openSession } from './session.mjs';
import { runsOtherwise } from './twins.mjs';

/** Of the server, of a skill and of a webhook: each run has others, so that several can go on side by side. */
const PORTS = ['8484', '8790', '8080'];
const EXAMPLES = 'examples';
const ANOTHER_TERMINAL = /another terminal|另一个终端/;

async function findFreePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

/**
 * Someone who does what guides say: with one home folder and one server for all of them, and for each an empty folder, or
 * one with nothing in it but what a clone has.
 *
 * @param {object} options
 * @param {string} options.clone
 * @param {string} options.temporary
 * @param {Record<string, string>} options.npm The variables by which npm finds a registry that has our packages.
 * @param {string} [options.node] The Node to follow them with, if not the one that is found here.
 * @param {string} [options.packed] A folder in which all of them are installed: without it, npm installs them each time.
 */
export async function createReader({ clone, temporary, npm, node, packed }) {
  const ports = new Map();
  for (const port of PORTS) ports.set(port, await findFreePort());
  const exchange = (text) => text.replaceAll(/(?<=: ?)\d{4}\b/g, (port) => ports.get(port) ?? port);
  const restore = (text) => [...ports].reduce((all, [port, free]) => all.replaceAll(`:${free}`, `:${port}`), text);
  const home = mkdtempSync(join(temporary, 'home-'));
  const env = {
    ...Object.fromEntries(Object.entries(npm).filter(([name]) => name.startsWith('npm_config_'))),
    PATH: [...(node === undefined ? [] : [dirname(node)]), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    PARLEY_DATA_DIR: join(temporary, `server-${ports.get('8484')}`),
    PARLEY_PORT: ports.get('8484'),
  };

  function makeClone() {
    const folder = mkdtempSync(join(temporary, 'clone-'));
    for (const name of readdirSync(clone)) {
      if (!name.startsWith('.') && name !== EXAMPLES) symlinkSync(join(clone, name), join(folder, name));
    }
    cpSync(join(clone, EXAMPLES), join(folder, EXAMPLES), { recursive: true });
    return folder;
  }
  const makeEmpty = () => mkdtempSync(join(temporary, 'empty-'));

  /** They name ports, too. */
  function exchangeExamples(folder) {
    for (const path of findFiles(folder, EXAMPLES, /\.json$/)) {
      const text = readFileSync(join(folder, path), 'utf8');
      if (exchange(text) !== text) writeFileSync(join(folder, path), exchange(text));
    }
  }
  const open = (cwd) => openSession({ cwd, env, packed, temporary });

  async function check(session, { language, code }) {
    if (language === 'sh') return session.type(exchange(code));
    for (const { command, shown } of readConsole(code)) {
      const printed = restore(await session.run(`{ ${exchange(command)}\n} || true`));
      if (!isPrinted(shown, printed))
        throw new Error(`$ ${command}\nshould print\n${shown.join('\n')}\nand printed\n${printed}`);
    }
  }

  async function save(session, { code, file }) {
    const path = join((await session.run('pwd')).trim(), file);
    if (existsSync(path) && file.endsWith('.mjs')) return appendFileSync(path, `\n${exchange(code)}`);
    mkdirSync(dirname(path), { recursive: true });
    return writeFileSync(path, exchange(code));
  }

  return {
    /**
     * Follows a guide from its first block to its last, and its translation wherever that runs something else.
     *
     * @param {readonly import('./blocks.mjs').Block[]} blocks
     * @param {{ twins?: readonly import('./blocks.mjs').Block[], inClone?: boolean }} [options]
     */
    async follow(blocks, { twins = [], inClone = false } = {}) {
      const folder = inClone ? makeClone() : makeEmpty();
      const session = open(folder);
      // Whoever has opened another terminal leaves what runs in the first one alone.
      let goesOn = false;
      const step = async (block, twin) => {
        const { language, words, file } = block;
        const isTyped = language === 'sh' || language === 'console';
        if (ANOTHER_TERMINAL.test(words)) goesOn = true;
        else if (words.includes('Ctrl-C') || (isTyped && !goesOn)) {
          await session.interrupt();
          goesOn = false;
        }
        if (file !== undefined) await save(session, block);
        if (!isTyped) return;
        exchangeExamples(folder);
        await check(session, block);
        if (twin !== undefined && runsOtherwise(block, twin)) await check(session, twin);
      };
      try {
        for (const [index, block] of blocks.entries()) {
          if (block.notRun !== undefined) continue;
          await step(block, twins[index]).catch((error) => {
            throw new Error(`line ${block.line}: ${error.message}`);
          });
        }
        await session.interrupt();
      } finally {
        await session.close();
      }
    },
    /** Stops the server that the guides have started. */
    async close() {
      const session = open(makeEmpty());
      try {
        await session.run('npx @parley/cli stop || true');
      } finally {
        await session.close();
      }
    },
  };
}
