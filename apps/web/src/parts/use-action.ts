import { useCallback, useRef, useState } from 'react';

/** Runs the work of a button, once at a time, and keeps its error so that it can be shown. */
export function useAction<Args extends readonly unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const latest = useRef(work);
  latest.current = work;
  const running = useRef(false);
  const run = useCallback((...args: Args) => {
    if (running.current) return;
    running.current = true;
    setState({ busy: true });
    latest
      .current(...args)
      .then(
        () => setState({ busy: false }),
        (error: unknown) => setState({ busy: false, error }),
      )
      .finally(() => {
        running.current = false;
      });
  }, []);
  return { ...state, run };
}
