import { styleText } from 'node:util';

type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';
export type Paint = (style: Style, text: string) => string;

const plain: Paint = (_style, text) => text;

/** Uses colours only on a terminal; NO_COLOR and FORCE_COLOR override this. */
export function choosePaint(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  return wantsColour(isTerminal, env) ? colourful : plain;
}

// Colours are already decided here; styleText would check the streams of the process again.
const colourful: Paint = (style, text) => styleText(style, text, { validateStream: false });

function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}
