import type { ToolAbility } from '@parley/client';
import type { ToolCall } from '@parley/protocol';
import { useState } from 'react';
import { useDevice } from '../../../client/provider.tsx';
import { type BrowserPermission, useBrowserPermission } from '../../../client/use-browser-permission.ts';

/** What the browser itself has to allow, by the tool that needs it. */
const NEEDED: ReadonlyMap<string, BrowserPermission> = new Map([
  ['send_notification', 'notifications'],
  ['read_location', 'geolocation'],
  ['read_clipboard', 'clipboard-read'],
]);

const ABILITIES: Readonly<Record<PermissionState, ToolAbility>> = {
  granted: 'ready',
  prompt: 'ask',
  denied: 'blocked',
};

export interface Ability {
  readonly ability: ToolAbility;
  readonly permission: BrowserPermission | undefined;
  /** The browser asks the person, who has just clicked. */
  request(): Promise<void>;
}

/** What this browser can do about a tool now; it follows what the person changes in the settings of the site. */
export function useAbility(call: Pick<ToolCall, 'tool_name' | 'permission_scope'>, agentId: string): Ability {
  const { tool_name: tool, permission_scope: scope } = call;
  const found = useDevice().findTool({ tool, scope, agentId });
  const permission = NEEDED.get(tool);
  const [asked, setAsked] = useState(0);
  const state = useBrowserPermission(permission, asked);
  return {
    ability: found === 'ready' && state !== undefined ? ABILITIES[state] : found,
    permission,
    async request() {
      if (permission !== undefined) await REQUESTS[permission]();
      setAsked((count) => count + 1);
    },
  };
}

/** Whatever the person answers shows in the state of the permission. */
const REQUESTS: Readonly<Record<BrowserPermission, () => Promise<unknown>>> = {
  notifications: () => Notification.requestPermission(),
  geolocation: () =>
    new Promise<void>((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve(),
        () => resolve(),
      ),
    ),
  'clipboard-read': () => navigator.clipboard.readText().catch(() => {}),
};
