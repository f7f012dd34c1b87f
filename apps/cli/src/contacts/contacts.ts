import { formatContactCode } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { type DeviceOptions, withDevice } from '../device/devices.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { type Asked, ask, carryOut, type Verb } from './decide.ts';
import { formatContacts } from './format-contacts.ts';

export function listContacts(options: DeviceOptions, words: Words): Promise<CommandResult> {
  return withDevice(options, words, async ({ contacts }) => {
    await contacts.sync();
    const { loaded: _, ...json } = contacts.getSnapshot();
    return { exit: EXIT.fine, json, text: (paint) => formatContacts(json, words, paint) };
  });
}

export function showCode(
  options: DeviceOptions & { readonly replace?: boolean },
  words: Words,
): Promise<CommandResult> {
  return withDevice(options, words, async ({ contacts }) => {
    const code = await (options.replace ? contacts.replaceCode() : contacts.code());
    return {
      exit: EXIT.fine,
      json: { code, replaced: options.replace ?? false },
      text: (paint) => `${paint('bold', formatContactCode(code))}\n${words.say('contacts.code_explained')}\n`,
    };
  });
}

export function addContact(
  code: string | undefined,
  { agent, member, ...options }: DeviceOptions & Omit<Asked, 'code'>,
  words: Words,
): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { json, sentence } = await ask(device, { code, agent, member }, words);
    return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${sentence}\n` };
  });
}

export function decide(
  verb: Verb,
  who: string,
  { options, words }: { readonly options: DeviceOptions; readonly words: Words },
): Promise<CommandResult> {
  return withDevice(options, words, async (device) => {
    const { json, sentence } = await carryOut(verb, who, { device, words });
    return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${sentence}\n` };
  });
}
