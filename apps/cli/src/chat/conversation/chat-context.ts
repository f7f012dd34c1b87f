import type { Device } from '@parley/client';
import type { Words } from '../../messages/index.ts';
import type { Paint } from '../../paint.ts';
import type { Screen } from '../terminal/screen.ts';

/** What everything in a chat works with: whose device it is, on which screen it is shown and in which language. */
export interface ChatContext {
  readonly device: Device;
  readonly screen: Screen;
  readonly words: Words;
  readonly paint: Paint;
}
