/** The same keys with any texts. */
type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };

/** What one part of the app says, in every language: a key that is missing in one does not compile. */
export interface TextTable<T> {
  readonly en: T;
  readonly 'zh-CN': SameKeys<T>;
}
