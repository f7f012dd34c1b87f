const AT_ONCE = 16;

/**
 * Runs a few at a time, because a file system commits several waiting files in one go. After a failure no new one
 * starts.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        await run(items[index]!, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
