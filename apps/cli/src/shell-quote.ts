/** Puts an argument with special characters into single quotes for the shell. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
