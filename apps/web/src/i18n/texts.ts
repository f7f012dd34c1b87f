/** The same shape with any words in it. */
type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** What one part of the app says, in every language: a key that is missing in one does not compile. */
export interface Texts<T> {
  readonly en: T;
  readonly 'zh-CN': Words<T>;
}
