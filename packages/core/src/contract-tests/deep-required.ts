/** Types without fields. */
export type Leaf = string | number | boolean | bigint | symbol | null | undefined

/**
 * The same type with every field required, at any depth, and at least one member in every list: a value that leaves
 * one out does not compile. Fields of any type (`unknown`) stay as they are.
 */
export type DeepRequired<T> = T extends Leaf
  ? T
  : T extends readonly (infer Member)[]
    ? readonly [DeepRequired<Member>, ...DeepRequired<Member>[]]
    : T extends object
      ? { readonly [Field in keyof T]-?: DeepRequired<Exclude<T[Field], undefined>> }
      : T
