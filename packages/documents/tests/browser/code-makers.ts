import { parseAst } from 'vite';

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly callee?: Node;
}

/** Where a module calls what makes code from text, or loads a module by a name: the names of what it calls. */
export function findCodeMakers(code: string): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [parseAst(code)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, callee } = node as Node;
    if (type === 'ImportExpression') found.push('import');
    else if (callee?.type === 'Identifier' && ['eval', 'Function', 'require'].includes(callee.name!)) {
      found.push(callee.name!);
    }
    for (const value of Object.values(node)) waiting.push(value);
  }
  return found;
}
