import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The functions of ours that ran, as `file#function`; what has no name is left out. */
export type Ran = ReadonlySet<string>;

/** Says which functions of this process ran while `run` did, by the counters of the engine itself. */
export async function watchFunctions(run: () => Promise<unknown>): Promise<Ran> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Taking the counters sets them back.
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Set(
      result.flatMap(({ url, functions }) => {
        const path = relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url);
        if (!/^(packages|apps)\//.test(path)) return [];
        const ran = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
        return ran.map(({ functionName }) => `${path}#${functionName}`);
      }),
    );
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
