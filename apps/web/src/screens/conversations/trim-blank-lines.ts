/** Without the empty lines at both ends. Everything else is as it was typed (WC-30). */
export function trimBlankLines(text: string): string {
  const lines = text.split('\n');
  const isEmpty = (line: string) => line.trim() === '';
  const first = lines.findIndex((line) => !isEmpty(line));
  const last = lines.findLastIndex((line) => !isEmpty(line));
  return first === -1 ? '' : lines.slice(first, last + 1).join('\n');
}
