import { createErrorFactory } from '@parley/base';
import { ApiError } from '@parley/messenger';
import { ERRORS as WIRE_ERRORS } from '@parley/protocol/errors';
import { describe, expect, test } from 'vitest';
import { CommandError } from './command-error.ts';
import { ERRORS } from './errors.ts';
import { EXIT } from './exit-code.ts';
import { explainError, toCommandError } from './explain-error.ts';

const context = { locale: 'en', program: 'roleos' } as const;
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe('HS-4 the codes of the commands', () => {
  test('HS-4 none is one of the wire', () => {
    expect(Object.keys(ERRORS).filter((code) => Object.hasOwn(WIRE_ERRORS, code))).toEqual([]);
  });

  test('HS-6 each takes the same parameters in both languages', () => {
    for (const [code, { text }] of Object.entries(ERRORS)) {
      expect([code, holes(text['zh-CN'])]).toEqual([code, holes(text.en)]);
    }
  });
});

describe('HS-7 any error is a sentence, a code and an exit code', () => {
  test('HS-7 of the commands themselves: the code’s sentence, or what the command knows better', () => {
    const plain = new CommandError('FILE_NOT_FOUND', { params: { file: 'a\u001b[2Jb' } });
    expect([plain.exit, plain.message]).toEqual([EXIT.environment, 'There is no file a\u001b[2Jb.']);
    expect(explainError(plain, 'zh-CN')).toMatch(/^文件 a.*b 不存在。$/);
    expect(explainError(plain, 'zh-CN')).not.toContain('\u001b');
    const exact = new CommandError('USAGE', { sentences: [{ key: 'usage.excess_arguments' }] });
    expect([exact.code, exact.exit, explainError(exact, 'en')]).toEqual(['USAGE', EXIT.usage, 'Too many arguments.']);
  });

  test('HS-7 of another package: its own sentence, and what to do here', async () => {
    const make = createErrorFactory({
      OTHER_ACCOUNT: { retry: false, text: { en: 'Not {name}.', 'zh-CN': '不是 {name}。' } },
      UNREACHABLE: { retry: true, text: { en: 'Nobody answers.', 'zh-CN': '无人应答。' } },
    });
    const error = toCommandError(make('OTHER_ACCOUNT', { params: { name: 'Ada\u0007' } }), context);
    expect([error.code, error.exit]).toEqual(['OTHER_ACCOUNT', EXIT.bad]);
    expect(explainError(error, 'en')).toMatch(/^Not Ada.*\.\n.*npx @parley\/cli logout --forget$/);
    expect(explainError(error, 'en')).not.toContain('\u0007');
    expect(toCommandError(make('UNREACHABLE'), context)).toMatchObject({ exit: EXIT.environment });
  });

  test('HS-7 a session that is over is answered with the login of the program that was called', async () => {
    const make = createErrorFactory({ UNAUTHENTICATED: WIRE_ERRORS.UNAUTHENTICATED });
    const error = toCommandError(make('UNAUTHENTICATED'), context);
    expect(error.code).toBe('NOT_SIGNED_IN');
    expect(explainError(error, 'en')).toContain('roleos login');
  });

  test('HS-7 attack: a server’s own words, for a code that nobody knows, cannot steer the terminal', () => {
    const hostile = new ApiError({ status: 418, code: 'NEW_CODE', message: 'Pay\u001b[2J\u009b1A \u202Enow' });
    const shown = explainError(hostile, 'en');
    expect(shown).toMatch(/^Pay/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test('HS-7 attack: a server cannot make the command line advise to forget an account', () => {
    const error = toCommandError(new ApiError({ status: 400, code: 'OTHER_ACCOUNT', message: 'x' }), context);
    expect(explainError(error, 'en')).not.toContain('--forget');
  });

  test('HS-7 a server that fails is the environment, whatever code it has for it', () => {
    const failed = new ApiError({ status: 507, code: 'NO_SPACE', message: 'Full.' });
    expect(toCommandError(failed, context)).toMatchObject({ code: 'NO_SPACE', exit: EXIT.environment });
  });

  test('HS-7 of the system, and of nobody', async () => {
    const missing = Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open', path: '/none' });
    expect(toCommandError(missing, context)).toMatchObject({ code: 'FILE_NOT_FOUND', exit: EXIT.environment });
    expect(toCommandError(new Error('oops'), context)).toMatchObject({ code: 'INTERNAL' });
  });
});
