/** A line that is being typed. The cursor counts UTF-16 units and is never inside a character. */
export interface Line {
  readonly text: string;
  readonly cursor: number;
}

/** A key as `node:readline` reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

export const EMPTY_LINE: Line = { text: '', cursor: 0 };

export const lineOf = (text: string): Line => ({ text, cursor: text.length });

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

function previous({ text, cursor }: Line): number {
  const all = [...segments.segment(text.slice(0, cursor))];
  return all.at(-1)?.index ?? 0;
}

function next({ text, cursor }: Line): number {
  const [first] = segments.segment(text.slice(cursor));
  return cursor + (first?.segment.length ?? 0);
}

const cut = ({ text }: Line, from: number, to: number): Line => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

/** Keeps line breaks of typed or pasted text and removes all other invisible characters. */
export function insert({ text, cursor }: Line, typed: string): Line {
  const seen = typed
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(HIDDEN, (character) => (character === '\n' || character === '\u200d' ? character : ''));
  return { text: text.slice(0, cursor) + seen + text.slice(cursor), cursor: cursor + seen.length };
}

/** Returns the line after a key that edits it; undefined for any other key. */
export function edit(line: Line, { name, ctrl, meta, sequence }: Key): Line | undefined {
  const { text, cursor } = line;
  switch (ctrl ? `ctrl-${name}` : name) {
    case 'backspace':
    case 'ctrl-h':
      return cut(line, previous(line), cursor);
    case 'delete':
      return cut(line, cursor, next(line));
    case 'left':
    case 'ctrl-b':
      return { text, cursor: previous(line) };
    case 'right':
    case 'ctrl-f':
      return { text, cursor: next(line) };
    case 'home':
    case 'ctrl-a':
      return { text, cursor: 0 };
    case 'end':
    case 'ctrl-e':
      return { text, cursor: text.length };
    case 'ctrl-u':
      return cut(line, 0, cursor);
    case 'ctrl-k':
      return cut(line, cursor, text.length);
    case 'ctrl-w':
      return cut(line, text.slice(0, cursor).replace(/\S+\s*$/, '').length, cursor);
  }
  if (ctrl || meta || sequence === undefined || sequence.startsWith('\u001b')) return undefined;
  const typed = insert(line, sequence);
  return typed.text === text ? undefined : typed;
}
