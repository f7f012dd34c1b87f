import type * as Typebox from 'typebox';

// What we use of typebox's builders: its types, and the JSON Schema it would make, without the 680 files that make it.
// One of those generates code, which some runtimes forbid (PK-5).

type Options = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

/** Names every string, as typebox writes it. */
const ANY_KEY = '^.*$';
/** The mark of typebox's types. It is no part of the schema, so it is hidden from whoever prints one. */
const OPTIONAL = '~optional';

const build = <Builder>(make: (...args: never[]) => Schema): Builder => make as unknown as Builder;
const named = <Builder>(type: string): Builder => build((options?: Options) => ({ type, ...options }));

const array = build<typeof Typebox.Array>((items: Schema, options?: Options) => ({ type: 'array', items, ...options }));
const boolean = named<typeof Typebox.Boolean>('boolean');
const enumeration = build<typeof Typebox.Enum>((values: readonly unknown[], options?: Options) => ({
  enum: [...values],
  ...options,
}));
const integer = named<typeof Typebox.Integer>('integer');
const intersect = build<typeof Typebox.Intersect>((allOf: readonly Schema[], options?: Options) => ({
  allOf,
  ...options,
}));
const literal = build<typeof Typebox.Literal>((value: string | number | boolean, options?: Options) => ({
  type: typeof value,
  const: value,
  ...options,
}));
const nothing = named<typeof Typebox.Null>('null');
const number = named<typeof Typebox.Number>('number');
const object = build<typeof Typebox.Object>((properties: Readonly<Record<string, Schema>>, options?: Options) => {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
});
const optional = build<typeof Typebox.Optional>((schema: Schema) =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
);
const record = build<typeof Typebox.Record>((key: Schema, value: Schema, options?: Options) => ({
  type: 'object',
  patternProperties: { [(key.pattern as string | undefined) ?? ANY_KEY]: value },
  ...options,
}));
const string = named<typeof Typebox.String>('string');
const union = build<typeof Typebox.Union>((anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }));
const unknown = build<typeof Typebox.Unknown>((options?: Options) => ({ ...options }));
const unsafe = build<typeof Typebox.Unsafe>((schema: Schema) => schema);

export {
  array as Array,
  boolean as Boolean,
  enumeration as Enum,
  integer as Integer,
  intersect as Intersect,
  literal as Literal,
  nothing as Null,
  number as Number,
  object as Object,
  optional as Optional,
  record as Record,
  string as String,
  union as Union,
  unknown as Unknown,
  unsafe as Unsafe,
};
