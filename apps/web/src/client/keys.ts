import { createTabKeys } from './tab-keys.ts';

export type { Leftover } from './tab-keys.ts';

/** The keys of this tab. What opens them is loaded when it is needed. */
export const {
  typedBefore,
  dropTyped,
  keys,
  startKeys,
  prepareKeys,
  openKeys,
  enter,
  signIn,
  register,
  lookAt,
  forgetAccount,
} = createTabKeys(() => import('./boot.ts'));
