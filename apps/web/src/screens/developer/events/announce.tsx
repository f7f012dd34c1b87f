import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Announcements are rare, because reading out each line would interrupt the person. */
const PAUSE_MS = 5_000;

/** Tells screen readers from time to time how many events are new. */
export function Announce({ newest }: { readonly newest: number }) {
  const { t } = useTranslation('agentEvents');
  const said = useRef(newest);
  const latest = useRef(newest);
  const [count, setCount] = useState(0);
  latest.current = newest;
  useEffect(() => {
    const timer = setInterval(() => {
      const fresh = latest.current - said.current;
      said.current = latest.current;
      setCount(Math.max(0, fresh));
    }, PAUSE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {count > 0 && t('announce', { count })}
    </p>
  );
}
