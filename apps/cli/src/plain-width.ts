import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Counts the terminal cells of our own texts, which have colours and Chinese characters but no emoji or combining marks.
 * `displayWidth` measures any text, but loading it takes longer than printing a page of help (HS-15).
 */
export function plainWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += eastAsianWidth(character.codePointAt(0)!);
  return width;
}
