import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { afterEach, describe, expect, test } from 'vitest';
import type { Screen } from './screen.ts';
import { openTerminal } from './terminal.ts';

const COLUMNS = 40;

/** Emulates the part of a terminal that is used: text, line breaks, moving the cursor up and right, clearing downwards. */
class Glass {
  readonly rows: string[][] = [[]];
  private row = 0;
  private column = 0;

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal reads
    for (const [piece] of text.matchAll(/\u001b\[[?\d;]*[A-Za-z]|[\s\S]/gu)) this.take(piece);
  }

  private take(piece: string): void {
    const amount = Number(/\d+/.exec(piece)?.[0] ?? 1);
    if (piece === '\n') this.move(this.row + 1, 0);
    else if (piece === '\r') this.column = 0;
    else if (piece.endsWith('A') && piece.length > 1) this.row -= amount;
    else if (piece.endsWith('C') && piece.length > 1) this.column += amount;
    else if (piece === '\u001b[J') {
      this.rows.length = this.row + 1;
      this.rows[this.row]!.length = this.column;
    } else if (piece.length === 1 || !piece.startsWith('\u001b')) {
      this.rows[this.row]![this.column++] = piece;
      if (this.column > COLUMNS) throw new Error(`a line is too wide: ${this.rows[this.row]!.join('')}`);
    }
  }

  private move(row: number, column: number): void {
    this.row = row;
    this.column = column;
    while (this.rows.length <= row) this.rows.push([]);
  }

  get lines(): string[] {
    return this.rows
      .map((row) => Array.from(row, (character) => character ?? ' ').join(''))
      .filter((line) => line !== '');
  }

  get cursor(): number {
    return this.column;
  }
}

let screen: Screen;
let glass: Glass;
let input: PassThrough;

function open(): void {
  glass = new Glass();
  input = new PassThrough();
  const output = new PassThrough();
  output.write = ((text: string) => glass.write(text)) as never;
  const tty = Object.assign(input, { isTTY: true, setRawMode: () => input });
  screen = openTerminal(
    tty as unknown as ReadStream,
    Object.assign(output, { isTTY: true, columns: COLUMNS }) as unknown as WriteStream,
  );
}
/** Sends the keys one by one, each in its own turn of the event loop. */
async function type(text: string): Promise<void> {
  input.write(text);
  await new Promise((resolve) => setImmediate(resolve));
}
afterEach(() => screen.close());

describe('HS-7 a line that is typed while others arrive', () => {
  test('HS-7 messages are printed above it, and it stays as it was', async () => {
    open();
    const answer = screen.ask({ label: 'you › ' });
    await type('hel');
    screen.print('Bot: a message that is longer than the screen is wide');
    await type('lo');
    expect(glass.lines.at(-1)).toBe('you › hello');
    expect(glass.lines.slice(0, -1).join(' ').replaceAll(/ +/g, ' ')).toBe(
      'Bot: a message that is longer than the screen is wide',
    );
    await type('\r');
    expect(await answer).toBe('hello');
  });

  test('HS-7 what goes on is drawn again in its place', async () => {
    open();
    void screen.ask({ label: '› ' });
    for (const left of [3, 2, 1]) screen.setStatus('count', [`${left} s`]);
    screen.setStatus('stream', ['Bot …', '│ so far']);
    expect(glass.lines).toEqual(['1 s', 'Bot …', '│ so far', '› ']);
    screen.setStatus('stream', []);
    screen.setStatus('count', []);
    expect(glass.lines).toEqual(['› ']);
  });

  test('HS-7 a long line is scrolled, never wrapped; wide characters count twice', async () => {
    open();
    const answer = screen.ask({ label: '› ' });
    await type('很长的一行'.repeat(10));
    expect(glass.lines.length).toBe(1);
    await type('\r');
    expect(await answer).toBe('很长的一行'.repeat(10));
  });
});

describe('CG-10 a question over a line that is half typed', () => {
  test('CG-10 answering by accident: keys go on into the line until it is sent', async () => {
    open();
    const line = screen.ask({ label: 'you › ' });
    await type('say ');
    let decided: string | undefined;
    const decision = screen.ask({ label: 'Allow? ' }, { urgent: true }).then((answer) => {
      decided = answer;
    });
    await type('a\r');
    expect(await line).toBe('say a');
    expect(decided).toBeUndefined();
    await type('a\r');
    await decision;
    expect(decided).toBe('a');
  });

  test('CG-10 answering by accident: what is pasted answers nothing until Enter', async () => {
    open();
    let decided: string | undefined;
    void screen.ask({ label: 'Allow? ' }, { urgent: true }).then((answer) => {
      decided = answer;
    });
    await type('\u001b[200~a\nd\n\u001b[201~');
    expect(decided).toBeUndefined();
    expect(glass.lines).toEqual(['Allow? a⏎d⏎']);
  });

  test('CG-10 a question that is taken back gives the line back', async () => {
    open();
    const line = screen.ask({ label: 'you › ' });
    const gone = new AbortController();
    const decision = screen.ask({ label: 'Allow? ' }, { urgent: true, signal: gone.signal });
    expect(glass.lines).toEqual(['Allow? ']);
    gone.abort();
    expect(await decision).toBeUndefined();
    await type('hello\r');
    expect(await line).toBe('hello');
  });

  test('HS-7 secrets are dots; Ctrl-C clears first and leaves then', async () => {
    open();
    const secret = screen.ask({ label: 'Pin: ', secret: true });
    await type('1234');
    expect(glass.lines).toEqual(['Pin: ••••']);
    await type('\u0003');
    expect(glass.lines).toEqual(['Pin: ']);
    await type('\u0003');
    expect(await secret).toBeUndefined();
    expect(await screen.ask({ label: 'more' })).toBeUndefined();
  });
});
