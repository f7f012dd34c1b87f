import { displayText } from '@parley/documents';

/** People choose their names themselves: control characters and endless names are made harmless. */
export function nameOf({ display_name }: { readonly display_name: string }, unnamed: string): string {
  return displayText(display_name, 60) || unnamed;
}
