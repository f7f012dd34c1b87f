import type { Device } from '@parley/client';
import type { Words } from '../../messages/index.ts';
import type { Paint } from '../../paint.ts';
import type { Screen } from '../terminal/screen.ts';

/** What all parts of a chat share: the device, the screen and the language. */
export interface ChatContext {
  readonly device: Device;
  readonly screen: Screen;
  readonly words: Words;
  readonly paint: Paint;
}
