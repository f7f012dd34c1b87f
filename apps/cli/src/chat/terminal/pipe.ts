import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Screen } from './screen.ts';

interface Open {
  settle(answer: string | undefined): void;
}

/** Lines in, lines out: for programs that drive a conversation, and for terminals that cannot move their cursor. */
export function openPipe(input: Readable, output: Writable): Screen {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting: string[] = [];
  let main: Open | undefined;
  let over: Open | undefined;
  let ended = false;

  function settle(answer: string | undefined): void {
    const open = over ?? main;
    if (over !== undefined) over = undefined;
    else main = undefined;
    open?.settle(answer);
  }
  function end(): void {
    ended = true;
    while (over !== undefined || main !== undefined) settle(undefined);
  }
  lines.on('line', (line) => {
    if (over !== undefined || main !== undefined) settle(line);
    else waiting.push(line);
  });
  lines.on('close', end);

  const print = (text: string) => void output.write(text.endsWith('\n') ? text : `${text}\n`);
  return {
    columns: 80,
    print,
    setLive: () => {},
    ask({ label, initial }, { over: isOver = false, signal } = {}) {
      if (signal?.aborted) return Promise.resolve(undefined);
      // Said ahead is only what continues the conversation; a question is answered by who has seen it.
      if (!isOver && initial === undefined && waiting.length > 0) return Promise.resolve(waiting.shift());
      if (ended) return Promise.resolve(undefined);
      if (label.trim() !== '') print(label);
      return new Promise((resolve) => {
        const open: Open = { settle: resolve };
        if (isOver) over = open;
        else main = open;
        signal?.addEventListener('abort', () => {
          if (open === over) over = undefined;
          else if (open === main) main = undefined;
          else return;
          resolve(undefined);
        });
      });
    },
    close() {
      lines.close();
      end();
    },
  };
}
