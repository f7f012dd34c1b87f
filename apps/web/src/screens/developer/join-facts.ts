/** Puts facts on one line. Some are sentences elsewhere: here none ends before the next. */
export function joinFacts(facts: readonly (string | false)[]): string {
  return facts
    .filter((fact) => fact !== false)
    .map((fact) => fact.replace(/[.。]$/, ''))
    .join(' · ');
}
