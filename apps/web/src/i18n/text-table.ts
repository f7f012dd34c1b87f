/** A table with the same keys and any texts. */
type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };

/** The texts of one part of the app in every language. A key that is missing in one language does not compile. */
export interface TextTable<T> {
  readonly en: T;
  readonly 'zh-CN': SameKeys<T>;
}
