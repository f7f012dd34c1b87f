import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { displayWidth } from '../../fit-text.ts';
import { EMPTY_LINE, edit, insert, type Key, type Line, lineOf } from './edit.ts';
import { confine, scrollToCursor, truncate } from './fit-line.ts';
import type { AskOptions, Question, Screen } from './screen.ts';

interface Open extends Question {
  line: Line;
  settle(answer: string | undefined): void;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
const MAX_HISTORY = 200;

/**
 * A screen that scrolls like any terminal. Only the last lines are redrawn: the current activity, and the line that is
 * typed, which scrolls sideways and so is always one row. Nothing else moves the cursor.
 */
export function openTerminal(input: ReadStream, output: WriteStream): Screen {
  const status = new Map<string, readonly string[]>();
  const history: string[] = [];
  let historyIndex = 0;
  let main: Open | undefined;
  let urgent: Open | undefined;
  let drawn = 0;
  let pasting = false;
  let closed = false;

  const columns = () => Math.max(20, output.columns || 80);
  /** Lets the person finish a half typed line first, so that no key becomes an answer by accident. */
  const active = () => (urgent !== undefined && (main === undefined || main.line.text === '') ? urgent : main);

  const erase = () => (drawn === 0 ? '' : `\r${drawn > 1 ? `\u001b[${drawn - 1}A` : ''}\u001b[J`);

  function paint(): string {
    const width = columns();
    const lines = [...status.values()].flat().map((line) => truncate(line, width));
    const question = active();
    if (question === undefined) {
      drawn = lines.length === 0 ? 0 : lines.length + 1;
      return lines.map((line) => `${line}\n`).join('');
    }
    drawn = lines.length + 1;
    const label = truncate(question.label, Math.floor(width / 2));
    const start = displayWidth(label);
    const { text, cursor } = question.line;
    const hidden = question.secret ? '•'.repeat(text.length) : text;
    const { shown, column } = scrollToCursor(hidden, cursor, width - start - 1);
    return `${lines.map((line) => `${line}\n`).join('')}${label}${shown}\r\u001b[${start + column}C`;
  }

  const draw = (printed = '') => void output.write(`${erase()}${printed}${paint()}`);

  function finish(question: Open, answer: string | undefined): void {
    if (question === main) main = undefined;
    if (question === urgent) urgent = undefined;
    draw();
    question.settle(answer);
  }

  function submit(question: Open): void {
    const { text } = question.line;
    if (question === main && !question.secret && text.trim() !== '' && history.at(-1) !== text) {
      history.push(text);
      if (history.length > MAX_HISTORY) history.shift();
    }
    historyIndex = 0;
    finish(question, text);
  }

  function browseHistory(question: Open, step: number): void {
    historyIndex = Math.min(history.length, Math.max(0, historyIndex + step));
    question.line = lineOf(historyIndex === 0 ? '' : history[history.length - historyIndex]!);
    draw();
  }

  function onKeypress(_text: string | undefined, key: Key): void {
    const question = active();
    if (key.name === 'paste-start' || key.name === 'paste-end') {
      pasting = key.name === 'paste-start';
    } else if (question === undefined) {
      // No question is open: text that is typed ahead must not answer the next one.
      if (key.ctrl && key.name === 'c') leave();
    } else if (pasting) {
      // A pasted line break sends nothing and answers nothing.
      change(question, insert(question.line, key.sequence ?? ''));
    } else if (!command(question, key)) {
      const line = edit(question.line, key);
      if (line !== undefined) change(question, line);
    }
  }

  function change(question: Open, line: Line): void {
    question.line = line;
    draw();
  }

  /** Returns false for keys that only edit. */
  function command(question: Open, { name, ctrl = false }: Key): boolean {
    const isEmpty = question.line.text === '';
    switch (ctrl ? `ctrl-${name}` : name) {
      case 'return':
      case 'enter':
        submit(question);
        return true;
      case 'escape':
        if (!isEmpty) change(question, EMPTY_LINE);
        return true;
      case 'ctrl-c':
        if (isEmpty) leave();
        else change(question, EMPTY_LINE);
        return true;
      case 'ctrl-d':
        if (isEmpty) leave();
        return true;
      case 'ctrl-l':
        drawn = 0;
        output.write('\u001b[2J\u001b[H');
        draw();
        return true;
      case 'up':
      case 'down':
        if (question === main) browseHistory(question, name === 'up' ? 1 : -1);
        return true;
      default:
        return false;
    }
  }

  function leave(): void {
    for (const question of [urgent, main]) if (question !== undefined) finish(question, undefined);
    close();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    output.write(`${erase()}${PASTE_OFF}`);
    drawn = 0;
    input.off('keypress', onKeypress).off('end', leave);
    output.off('resize', redraw);
    input.setRawMode(false);
    input.pause();
    urgent?.settle(undefined);
    main?.settle(undefined);
  }

  const redraw = () => draw();
  emitKeypressEvents(input);
  input.setRawMode(true).on('keypress', onKeypress).on('end', leave).resume();
  output.on('resize', redraw);
  output.write(PASTE_ON);

  return {
    get columns() {
      return columns();
    },
    print(text) {
      const whole = text.endsWith('\n') ? text : `${text}\n`;
      if (closed) output.write(confine(whole, columns()));
      else draw(confine(whole, columns()));
    },
    setStatus(name, lines) {
      if (lines.length === 0) status.delete(name);
      else status.set(name, lines);
      if (!closed) draw();
    },
    ask(question: Question, { urgent: isUrgent = false, signal }: AskOptions = {}) {
      if (closed || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const open: Open = { ...question, line: lineOf(question.initial ?? ''), settle: resolve };
        if (isUrgent) urgent = open;
        else main = open;
        signal?.addEventListener('abort', () => {
          if (open === main || open === urgent) finish(open, undefined);
        });
        draw();
      });
    },
    close,
  };
}
