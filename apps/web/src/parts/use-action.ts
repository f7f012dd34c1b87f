import { useCallback, useRef, useState } from 'react';

/** The work of a button: it runs once at a time, and its error is kept to be shown. */
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
