// A process that writes batches until it is killed, and says after each which were acknowledged.
import { openFileStore } from '../../src/stores/file.ts';

const [place, first, concurrency] = process.argv.slice(2) as [string, string, string];

try {
  const store = await openFileStore(place);
  let next = Number(first);
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  tell('open');
  const work = async () => {
    for (;;) {
      const n = next++;
      // Each batch has two halves and one key that all share; every third makes the log worth compacting.
      const filler = n % 3 === 0 ? 'z'.repeat(60_000) : '';
      await store.write(
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
  process.stdout.write(`${(error as { code?: string }).code}\n`);
}
