// Loaded before a program: says at its end where it tried to make code of text. A runtime that forbids it only throws,
// and a library may catch that and go on in another way.
const tried = [];

function trap(make) {
  const note = () => {
    tried.push(new Error('code of text').stack.split('\n').slice(3, 6).join('\n'));
    throw new EvalError('Code generation from strings disallowed');
  };
  return new Proxy(make, { apply: note, construct: note });
}

for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  const make = sample.constructor;
  Object.defineProperty(make.prototype, 'constructor', { value: trap(make) });
}
globalThis.Function = Function.prototype.constructor;
Reflect.set(globalThis, 'eval', trap(Reflect.get(globalThis, 'eval')));

process.on('exit', () => process.stdout.write(`${JSON.stringify({ tried })}\n`));
