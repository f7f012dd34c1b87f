import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Terminal cells of a text of our own tables, which has colours and Chinese characters but no emoji and no combining marks.
 * `displayWidth` measures any text, but loading it takes longer than printing a page of help (HS-15).
 */
export function plainWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += eastAsianWidth(character.codePointAt(0)!);
  return width;
}
