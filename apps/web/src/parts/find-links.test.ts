import { describe, expect, it } from 'vitest';
import { findLinks, hostOf, namesAnother, readAddress, webHostOf } from './find-links.ts';

const linksOf = (text: string) =>
  findLinks(text).flatMap(({ text: shown, href }) => (href === undefined ? [] : [shown]));

describe('WC-32 addresses in a text', () => {
  it.each([
    ['See https://a.example/b?c=d#e.', ['https://a.example/b?c=d#e']],
    ['(https://a.example/x_(y)) and http://b.example, or', ['https://a.example/x_(y)', 'http://b.example']],
    ['请看 https://a.example/路径，然后', ['https://a.example/']],
    ['访问https://a.example即可', ['https://a.example']],
    ['https://müller.example/ä', ['https://müller.example/ä']],
    ['javascript:alert(1) data:text/html,x ftp://a.example a.example', []],
    ['xhttps://a.example https://', []],
    ['https://a.example/\u202egnp', ['https://a.example/']],
  ])('%s', (text, links) => {
    expect(linksOf(text)).toEqual(links);
    expect(
      findLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it.each([
    ['https://a.example', 'https://a.example/', false],
    ['the guide', 'https://a.example/', false],
    ['www.a.example/read.me', 'https://a.example/read.me', false],
    ['me@a.example', 'mailto:me@a.example', false],
    ['attack: https://bank.example', 'https://evil.example/', true],
    ['attack: bank.example', 'https://evil.example/bank.example', true],
    ['attack: https://bank.example@evil.example', 'https://bank.example@evil.example/', true],
    ['attack: a Cyrillic letter https://bаnk.example', 'https://xn--bnk-5cd.example/', true],
    ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a', false],
    ['http://[::1]/a', 'http://[::1]/', false],
    ['a.xn--p1ai', 'https://a.xn--p1ai/', false],
    ['paypal。com', 'https://paypal.com/', false],
    ['attack: one dot leader paypal\u2024com', 'https://evil.example/', true],
    ['attack: an ideographic full stop paypal\u3002com', 'https://evil.example/', true],
    ['attack: a half-width one paypal\uff61com', 'https://evil.example/', true],
    ['attack: a full-width one paypal\uff0ecom', 'https://evil.example/', true],
    ['attack: an Arabic zero paypal\u0660com', 'https://evil.example/', true],
    ['attack: something invisible pay\u00adpal\u200b.com', 'https://evil.example/', true],
    ['attack: a choice of glyph paypal.c\ufe0fom', 'https://evil.example/', true],
    ['attack: a joiner of graphemes paypal.c\u034fom', 'https://evil.example/', true],
    ['attack: lines below the letters paypal.c\u0332o\u0332m\u0332', 'https://evil.example/', true],
    ['attack: (https://bank.example)', 'https://evil.example/', true],
    ['attack: “https://bank.example/login”', 'https://evil.example/', true],
    ['attack: Visit:https://bank.example', 'https://evil.example/', true],
    ['attack: git+https://bank.example', 'https://evil.example/', true],
    ['attack: https:///bank.example', 'https://evil.example/', true],
    ['attack: https:/bank.example', 'https://evil.example/', true],
    ['attack: //bank.example/login', 'https://evil.example/', true],
    ['attack: (http://localhost:3000/)', 'https://evil.example/', true],
    ['attack: http://3232235777/', 'https://evil.example/', true],
    ['(http://localhost:3000/).', 'http://localhost:3000/', false],
    ['(https://a.example/x)', 'https://a.example/x', false],
    ['attack: 192.0.2.1', 'https://evil.example/', true],
    ['attack: http://192.0.2.1/login', 'http://192.0.2.10/', true],
    ['attack: http://[2001:db8::1]/', 'http://[2001:db8::2]/', true],
    [`attack: after many words ${'word '.repeat(200)} bank.example`, 'https://evil.example/', true],
    [`attack: after many labels ${'a.'.repeat(200)}bank.example`, 'https://evil.example/', true],
  ])('%s for %s names another place: %s', (label, href, expected) => {
    expect(namesAnother(label, href)).toBe(expected);
  });

  it.each([
    ['https://bank.example/a', 'bank.example'],
    [' https://bank.example', 'bank.example'],
    ['\n\thttp://bank.example:81', 'bank.example:81'],
    ['ht\ntps://bank.example', 'bank.example'],
    ['https:bank.example', 'bank.example'],
    ['see https://bank.example', undefined],
    ['ftp://bank.example', undefined],
    ['https://', undefined],
  ])('WC-13 %j would open a page of %s', (value, host) => {
    expect(webHostOf(value)).toBe(host);
  });

  it('shows letters that only look Latin for what they are', () => {
    expect(hostOf(readAddress('https://bаnk.example/')!)).toMatch(/^xn--/);
    expect(hostOf(readAddress('mailto:me@a.example')!)).toBe('me@a.example');
    expect(readAddress('javascript:alert(1)')).toBeUndefined();
    expect(readAddress('https://')).toBeUndefined();
  });

  it.each([')', '.', '(', 'https://', 'https://a.', '*.'])('attack: a hundred thousand times %s', (piece) => {
    const text = `https://a${piece.repeat(100_000)}b https://a${piece.repeat(100_000)}`;
    expect(
      findLinks(text)
        .map((one) => one.text)
        .join(''),
    ).toBe(text);
  });
});
