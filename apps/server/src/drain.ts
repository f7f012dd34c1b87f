const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C that its child has had already: that is no second thought. */
const ECHO_MS = 500;
const DRAIN_MS = 10_000;

interface Closable {
  close(): Promise<void>;
}

/**
 * Resolves with the exit code once a signal has come and everything is closed: 0, or 1 where something had to be cut
 * off. What is still starting when the signal comes is waited for, because half a start would leave a database behind.
 */
export function waitForEnd(starting: Promise<Closable>, fail: (error: unknown) => void): Promise<number> {
  return new Promise((resolve) => {
    let began: number | undefined;
    const onSignal = () => {
      const now = performance.now();
      if (began !== undefined) {
        if (now - began > ECHO_MS) resolve(1);
        return;
      }
      began = now;
      end().then(
        () => resolve(0),
        (error) => {
          fail(error);
          resolve(1);
        },
      );
    };
    const end = async () => {
      const started = await starting;
      // Not unref'd: where `close` waits for something that never comes, this is what is left to wait for.
      const limit = setTimeout(() => resolve(1), DRAIN_MS);
      await started.close().finally(() => clearTimeout(limit));
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
