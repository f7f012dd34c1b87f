const NUMBER = /^(?:0|[1-9]\d*)$/;
const IDENTIFIER = /^[\dA-Za-z-]+$/;
const PADDED_NUMBER = /^0\d+$/;

/**
 * Checks SemVer 2.0.0 (sections 2, 9 and 10). It splits the text instead of matching it as a whole, so that no text is
 * slow.
 */
export function isSemVer(text: string): boolean {
  const [version, build] = cutAt(text, '+');
  const [core, prerelease] = cutAt(version, '-');
  const numbers = core.split('.');
  return (
    numbers.length === 3 &&
    numbers.every((part) => NUMBER.test(part)) &&
    (prerelease ?? 'a').split('.').every((part) => IDENTIFIER.test(part) && !PADDED_NUMBER.test(part)) &&
    (build ?? 'a').split('.').every((part) => IDENTIFIER.test(part))
  );
}

function cutAt(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
