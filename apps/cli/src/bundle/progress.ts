import type { Progress } from '@parley/bundles';
import type { Words } from '../messages/index.ts';

const WIDTH = 24;

/** Shows progress in one changing line, and only if standard error is a terminal. */
export function showProgress(words: Words, asJson: boolean) {
  const isShown = !asJson && process.stderr.isTTY;
  let last = '';
  const onProgress = ({ step, done, total }: Progress) => {
    const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
    const line = `${words.say(`progress.${step}`)} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`;
    if (!isShown || line === last) return;
    last = line;
    process.stderr.write(`\r\u001b[K${line}`);
  };
  const clear = () => {
    if (isShown && last !== '') process.stderr.write('\r\u001b[K');
  };
  return { onProgress, clear };
}
