/** The parameters of Bootstring that make Punycode (RFC 3492, section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

const threshold = (k: number, bias: number) => Math.min(Math.max(k - bias, T_MIN), T_MAX);

/** Decodes Punycode in lower case (section 6.2). Returns undefined if it is malformed. */
export function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const points = delimiter > 0 ? Array.from(text.slice(0, delimiter), (letter) => letter.charCodeAt(0)) : [];
  let n = INITIAL_N;
  let bias = INITIAL_BIAS;
  let i = 0;
  for (let index = delimiter > 0 ? delimiter + 1 : 0; index < text.length; ) {
    const start = i;
    for (let k = BASE, weight = 1; ; k += BASE) {
      const digit = DIGITS.indexOf(text[index++] ?? ' ');
      if (digit < 0) return undefined;
      i += digit * weight;
      if (i > 0x7fffffff) return undefined;
      const t = threshold(k, bias);
      if (digit < t) break;
      weight *= BASE - t;
    }
    const length = points.length + 1;
    bias = adapt(i - start, length, start === 0);
    n += Math.floor(i / length);
    if (n > 0x10ffff) return undefined;
    i %= length;
    points.splice(i++, 0, n);
  }
  return String.fromCodePoint(...points);
}

/** Encodes Punycode (section 6.3). */
export function encodePunycode(text: string): string {
  const points = Array.from(text, (letter) => letter.codePointAt(0)!);
  const basic = points.filter((point) => point < INITIAL_N);
  let output = String.fromCharCode(...basic) + (basic.length > 0 ? '-' : '');
  let n = INITIAL_N;
  let bias = INITIAL_BIAS;
  let delta = 0;
  let done = basic.length;
  while (done < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (done + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta++;
      if (point !== n) continue;
      output += encodeDelta(delta, bias);
      bias = adapt(delta, done + 1, done === basic.length);
      delta = 0;
      done++;
    }
    delta++;
    n++;
  }
  return output;
}

function encodeDelta(delta: number, bias: number): string {
  let output = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return output + DIGITS[rest];
    output += DIGITS[t + ((rest - t) % (BASE - t))];
    rest = Math.floor((rest - t) / (BASE - t));
  }
}
