/** Part of a message that is formatted on its own, or is shown as it is because reading it could take forever. */
export interface Part {
  readonly text: string;
  readonly isPlain: boolean;
}

/** Up to here a part grows from one empty line to the next. */
const PART = 8_000;
/** One without an empty line, such as a table, may be as long as this. */
const LONGEST = 16_000;
/**
 * What a parser takes time or stack for, more than in proportion: lines, emphasis, code, links and pictures that may begin
 * or end, cells, and boxes within boxes. Measured on two busy cores: 8,000 characters of `[a](b)` took 1.3 s and of prose
 * 25 ms; of what these limits let through, 300 links in 16,000 characters took longest, 0.34 s.
 */
const MOST = { lines: 1_000, marks: 600, cells: 3_000, depth: 20, indent: 80 };
/** The end of a comment or an instruction of HTML is looked for up to the end of the text, from each beginning. */
const RAW = { pattern: /<[!?]/g, marks: 10 };

/** A carriage return alone ends a line, too. */
const LINE_END = /(?<=\n|\r(?!\n))/;
/** In its first line, a fence of backticks has no other. */
const FENCE = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;
/** HTML in which a fence is none: up to its own end, or up to an empty line. */
const RAW_BLOCK = /^ {0,3}<(?:[!?]|pre|script|style|textarea)/i;
const BLOCK = /^ {0,3}</;
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;

interface Weight {
  lines: number;
  marks: number;
  cells: number;
  /** The most cells of a line since the last empty one: each row of a table gets as many as its head has. */
  width: number;
  tooDeep: boolean;
}

/**
 * Cuts a text where it can be cut without changing what it says: at an empty line outside of code, before a line that is
 * not indented. Joined again, the parts are the text.
 */
export function splitMarkdown(text: string): readonly Part[] {
  const parts: Part[] = [];
  let part = '';
  let weight = noWeight();
  let fences = createFences();
  let wasEmpty = false;
  const close = () => {
    const { lines, marks, cells, tooDeep } = weight;
    const isPlain = part.length > LONGEST || lines > MOST.lines || marks > MOST.marks || cells > MOST.cells || tooDeep;
    if (part !== '') parts.push({ text: part, isPlain });
    part = '';
    weight = noWeight();
    fences = createFences();
  };
  for (const line of text.split(LINE_END)) {
    if (!fences.isOpen() && wasEmpty && part.length + line.length > PART && /^\S/.test(line)) close();
    // A parser skips the mark of the byte order.
    const bare = line.replace(part === '' ? /^\ufeff|[\r\n]+$/g : /[\r\n]+$/, '');
    wasEmpty = line.trim() === '';
    part += line;
    if (!fences.read(bare)) addLine(weight, line);
  }
  close();
  return parts;
}

/** Follows the fences of code from line to line. */
function createFences() {
  let fence: string | undefined;
  let isCode = false;
  let html: 'none' | 'to_empty_line' | 'to_end' = 'none';
  return {
    isOpen: () => fence !== undefined,
    /** Whether the parser, too, takes the line for code: then nothing in it can cost time. */
    read(line: string): boolean {
      const [, backticks, info, tildes, rest] = FENCE.exec(line) ?? [];
      const mark = backticks ?? tildes;
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && /^[ \t]*$/.test(info ?? rest!)) fence = undefined;
        return isCode;
      }
      if (mark !== undefined) {
        fence = mark;
        // An indented one may be in a list, where it begins or ends something else; nor is the next one certain then.
        isCode = html === 'none' && !line.startsWith(' ');
        if (!isCode) html = 'to_end';
      } else if (html !== 'to_end') {
        if (RAW_BLOCK.test(line)) html = 'to_end';
        else if (BLOCK.test(line)) html = 'to_empty_line';
        else if (/^[ \t]*$/.test(line)) html = 'none';
      }
      return false;
    },
  };
}

const noWeight = (): Weight => ({ lines: 0, marks: 0, cells: 0, width: 0, tooDeep: false });

function addLine(weight: Weight, line: string): void {
  weight.lines++;
  // Of a run of asterisks each pair is a box in the one before.
  weight.marks += count(line, /[*_]{1,2}|~+|`+|[[\]!]/g) + count(line, RAW.pattern) * RAW.marks;
  weight.width = /^[ \t]*[\r\n]*$/.test(line) ? 0 : Math.max(weight.width, count(line, /\|/g));
  weight.cells += weight.width;
  const containers = CONTAINERS.exec(line)?.[0] ?? '';
  weight.tooDeep ||= count(containers, />|[-+*]|\d[.)]/g) > MOST.depth || /^[ \t]*/.exec(line)![0].length > MOST.indent;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
