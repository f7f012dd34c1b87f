import { useEffect, useState } from 'react';

export type BrowserPermission = 'notifications' | 'geolocation' | 'clipboard-read';

/**
 * What the browser says of a permission; it follows what the person changes in the settings of the site. Undefined until
 * the browser has said it, and in one that does not.
 */
export function useBrowserPermission(
  permission: BrowserPermission | undefined,
  asked = 0,
): PermissionState | undefined {
  const [state, setState] = useState<PermissionState>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again after the browser has asked
  useEffect(() => {
    if (permission === undefined) return;
    let status: PermissionStatus | undefined;
    let isOver = false;
    const look = () => status && setState(status.state);
    // A browser that does not know the name, or asks each time, says so by failing: then only the call itself tells.
    navigator.permissions
      ?.query({ name: permission as PermissionName })
      .then((given) => {
        if (isOver) return;
        status = given;
        status.addEventListener('change', look);
        look();
      })
      .catch(() => {});
    return () => {
      isOver = true;
      status?.removeEventListener('change', look);
    };
  }, [permission, asked]);
  return state;
}
