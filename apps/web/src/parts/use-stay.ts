import { useEffect } from 'react';

/** The browser asks before it closes or reloads the tab, while `isNeeded` says so. */
export function useStay(isNeeded: () => boolean): void {
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => isNeeded() && event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [isNeeded]);
}
