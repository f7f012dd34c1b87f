import { parts } from './parts/texts.ts';
import { signIn } from './screens/sign-in/texts.ts';
import { shell } from './shell/texts.ts';

/** What is said before anyone is signed in, when little should have been loaded (HS-11). */
export const FIRST_TEXTS = { parts, shell, signIn } as const;
