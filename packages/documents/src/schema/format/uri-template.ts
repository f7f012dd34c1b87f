import { hasBrokenPercent, IPRIVATE, UCSCHAR } from './uri.ts';

/** Matches what a literal cannot hold (RFC 6570, section 2.1, with erratum 6937: an apostrophe is a literal too). */
const NOT_LITERAL = new RegExp(`[^\\x21\\x23-\\x3b=\\x3f-\\x5b\\]_a-z~${UCSCHAR}${IPRIVATE}]`, 'u');

export function isUriTemplate(text: string): boolean {
  if (hasBrokenPercent(text)) return false;
  const [literal = '', ...pieces] = text.split('{');
  if (NOT_LITERAL.test(literal)) return false;
  return pieces.every((piece) => {
    const end = piece.indexOf('}');
    return end !== -1 && isExpression(piece.slice(0, end)) && !NOT_LITERAL.test(piece.slice(end + 1));
  });
}

/** Tests for an expression (sections 2.2 to 2.4). */
function isExpression(text: string): boolean {
  const list = /^[+#./;?&=,!@|]/.test(text) ? text.slice(1) : text;
  return list.split(',').every((variable) => {
    const name = variable.replace(/(?:\*|:[1-9]\d{0,3})$/, '');
    return name !== '' && !/[^\w%.]/.test(name) && !name.startsWith('.') && !name.endsWith('.') && !name.includes('..');
  });
}
