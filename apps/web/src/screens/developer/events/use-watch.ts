import type { AgentWatch } from '@parley/client';
import { useEffect, useState } from 'react';
import { useDevice } from '../../../client/provider.tsx';

/** The whole page shares one watch, whichever tab is open. */
export function useWatch(agentId: string): AgentWatch | undefined {
  const device = useDevice();
  const [watch, setWatch] = useState<AgentWatch>();
  useEffect(() => {
    const next = device.watchAgent(agentId);
    setWatch(next);
    return next.stop;
  }, [device, agentId]);
  return watch;
}

/** Reloads at most once per interval, because the route has a rate limit. */
const REFRESH_MS = 1_500;

export function useDeliveryNews(watch: AgentWatch | undefined, onNews: (() => void) | undefined): void {
  useEffect(() => {
    if (watch === undefined || onNews === undefined) return;
    const newest = () => watch.getSnapshot().events.findLast(({ event }) => event.type.startsWith('webhook.'))?.key;
    let seen = newest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watch.subscribe(() => {
      if (timer !== undefined || newest() === seen) return;
      timer = setTimeout(() => {
        timer = undefined;
        seen = newest();
        onNews();
      }, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [watch, onNews]);
}
