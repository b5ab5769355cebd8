/** What is not looked into further. */
export type Leaf = string | number | boolean | bigint | symbol | null | undefined

/**
 * The type with every field there, however deep, and a member in every list: a value that leaves one out does not
 * compile. What holds values of any kind (`unknown`) stays as it is.
 */
export type DeepRequired<T> = T extends Leaf
  ? T
  : T extends readonly (infer Member)[]
    ? readonly [DeepRequired<Member>, ...DeepRequired<Member>[]]
    : T extends object
      ? { readonly [Field in keyof T]-?: DeepRequired<Exclude<T[Field], undefined>> }
      : T
