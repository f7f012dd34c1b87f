import { show } from './print.ts';

const LEAVE = new Set(['q', 'Q', '\u0003', '\u0004', '\u001b']);
const GO_ON = new Set(['\r', '\n', ' ']);

/** Resolves with true at Enter or space, and with false at q, Ctrl-C, Ctrl-D or Escape. Then the prompt is removed. */
export async function waitForKey(prompt: string): Promise<boolean> {
  await show(process.stdout, (paint) => paint('dim', prompt));
  const goesOn = await new Promise<boolean>((resolve) => {
    const settle = (answer: boolean) => {
      process.stdin.off('data', listen).off('end', leave).setRawMode(false);
      process.stdin.pause();
      resolve(answer);
    };
    const leave = () => settle(false);
    const listen = (key: Buffer | string) => {
      const text = key.toString();
      if (LEAVE.has(text)) settle(false);
      else if (GO_ON.has(text)) settle(true);
    };
    process.stdin.setRawMode(true).on('data', listen).on('end', leave).resume();
  });
  await show(process.stdout, () => '\r\u001b[K');
  return goesOn;
}
