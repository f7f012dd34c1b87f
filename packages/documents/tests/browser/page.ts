import { canonicalise } from '../../src/index.ts';
import { type Answers, answer, type Questions } from './answer.ts';
import { BEFORE_ATTEMPTS } from './marker.ts';

export interface PageReport {
  readonly answers: Answers;
  /** WebCrypto's SHA-256 of the canonical form of each text. */
  readonly webDigests: readonly string[];
  /** What became of attempts to make code from data, which the page's policy must stop. */
  readonly attempts: Readonly<Record<string, string>>;
  /** What was blocked, by which directive, in which file. */
  readonly violations: readonly string[];
  readonly hasProcess: boolean;
}

export type PageOutcome = { readonly report: PageReport } | { readonly failure: string };

/** The smallest WebAssembly module. */
const WASM = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalise(text)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function attempt(makeCode: () => unknown): string {
  try {
    return `made ${makeCode()}`;
  } catch (error) {
    return (error as Error).name;
  }
}

async function run(): Promise<PageReport> {
  const violations: string[] = [];
  // Reports come in order: after that of the last attempt none of an earlier violation is missing.
  const reported = new Promise<void>((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.blockedURI} by ${event.effectiveDirective} in ${new URL(event.sourceFile).pathname}`);
      if (event.blockedURI === 'wasm-eval') resolve();
    });
  });
  const questions: Questions = await (await fetch('/questions.json')).json();
  const answers = answer(questions);
  const webDigests = await Promise.all(questions.texts.map(digest));
  // biome-ignore lint/suspicious/noConsole: in the same stream as what the browser prints about the attempts
  console.info(BEFORE_ATTEMPTS);
  const attempts = {
    // biome-ignore lint/security/noGlobalEval: that it is refused is the point
    eval: attempt(() => globalThis.eval('1')),
    Function: attempt(() => new Function('return 1')()),
    WebAssembly: attempt(() => new WebAssembly.Module(WASM)),
  };
  if (!attempts.WebAssembly.startsWith('made')) await reported;
  return { answers, webDigests, attempts, violations, hasProcess: 'process' in globalThis };
}

const outcome: PageOutcome = await run().then(
  (report) => ({ report }),
  (error: Error) => ({ failure: `${error.stack ?? error}` }),
);
await fetch('/outcome', { method: 'POST', body: JSON.stringify(outcome) });
