/** Chinese units stand apart from their number, as all else here does; the browser writes "24小时". */
export function spaceUnits(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');
}
