const REJECTING = new Set([
  'schema.required_added',
  'schema.type_changed',
  'schema.closed',
  'schema.enum_removed',
  'schema.narrowed',
]);

/** The engine, wherever it was loaded from, as the fuzzer wants to see it. */
export function createSubject({ createSchemaDiff, readSchema, compileCheck }) {
  return {
    open: () => {
      const diff = createSchemaDiff();
      return (before, after) => {
        if (isRefused(before) || isRefused(after)) return undefined;
        const changes = diff(before, after);
        const rejecting = changes.filter(({ code }) => REJECTING.has(code));
        return {
          silent: rejecting.length === 0,
          same: changes.every(({ code }) => code === 'schema.annotation'),
          witnesses: rejecting.flatMap(({ witness }) => (witness === undefined ? [] : [witness])),
          undecided: rejecting.filter(({ undecided }) => undecided).map(describe),
        };
      };
    },
    check: (schema) => {
      const check = compileCheck(readSchema(schema).root);
      return (value) => check(value).valid;
    },
  };

  function isRefused(schema) {
    return readSchema(schema).root === undefined;
  }
}

/** The keyword, or the innermost one on the way to the place. */
function describe({ keyword, path }) {
  return keyword || path.split('/').findLast((step) => /^[a-z]+[A-Za-z]*$/.test(step)) || 'the whole schema';
}
