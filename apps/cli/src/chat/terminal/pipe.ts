import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Screen } from './screen.ts';

interface Open {
  settle(answer: string | undefined): void;
}

/** Reads and writes lines, for programs that drive a conversation and for terminals that cannot move the cursor. */
export function openPipe(input: Readable, output: Writable): Screen {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting: string[] = [];
  let main: Open | undefined;
  let urgent: Open | undefined;
  let ended = false;

  function settle(answer: string | undefined): void {
    const open = urgent ?? main;
    if (urgent !== undefined) urgent = undefined;
    else main = undefined;
    open?.settle(answer);
  }
  function end(): void {
    ended = true;
    while (urgent !== undefined || main !== undefined) settle(undefined);
  }
  lines.on('line', (line) => {
    if (urgent !== undefined || main !== undefined) settle(line);
    else waiting.push(line);
  });
  lines.on('close', end);

  const print = (text: string) => void output.write(text.endsWith('\n') ? text : `${text}\n`);
  return {
    columns: 80,
    print,
    setStatus: () => {},
    ask({ label, initial }, { urgent: isUrgent = false, signal } = {}) {
      if (signal?.aborted) return Promise.resolve(undefined);
      // Lines that were piped in ahead never answer a question, because nobody has seen it yet.
      if (!isUrgent && initial === undefined && waiting.length > 0) return Promise.resolve(waiting.shift());
      if (ended) return Promise.resolve(undefined);
      if (label.trim() !== '') print(label);
      return new Promise((resolve) => {
        const open: Open = { settle: resolve };
        if (isUrgent) urgent = open;
        else main = open;
        signal?.addEventListener('abort', () => {
          if (open === urgent) urgent = undefined;
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
