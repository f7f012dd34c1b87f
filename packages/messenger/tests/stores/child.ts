// A process that writes batches until it is killed or fails, and says after each which were acknowledged.
import { openFileStore } from '../../src/stores/file.ts';
import type { Store } from '../../src/stores/store.ts';

const [place, first, concurrency] = process.argv.slice(2) as [string, string, string];

const tell = (line: string) => process.stdout.write(`${line}\n`);
let store: Store | undefined;

try {
  const opened = await openFileStore(place);
  store = opened;
  let next = Number(first);
  tell('open');
  const work = async () => {
    for (;;) {
      const n = next++;
      // Each batch has two halves and one key that all share; every third makes the log worth compacting.
      const filler = n % 3 === 0 ? 'z'.repeat(60_000) : '';
      await opened.write(
        new Map([
          [`a/${n}`, `${n}`],
          [`b/${n}`, `${n}`],
          ['filler', filler],
          ['last', `${n}`],
        ]),
      );
      tell(`${n}`);
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
} catch (error) {
  tell(`${(error as { code?: string }).code}`);
  await store?.close();
  tell('closed');
}
