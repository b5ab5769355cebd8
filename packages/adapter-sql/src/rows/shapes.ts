/** Tells whether a value has a type. Only the shape is looked at: what a text says was validated before it was stored. */
export type Shape<A> = (value: unknown) => value is A

/** A field that may be absent. */
type Optional<A> = Readonly<{ optional: Shape<A> }>

/** A shape for every field of the type, so that none can be forgotten. */
type Fields<A> = {
  readonly [Name in keyof A]-?: object extends Pick<A, Name> ? Optional<Required<A>[Name]> : Shape<A[Name]>
}

export const text: Shape<string> = (value) => typeof value === 'string'

export const number: Shape<number> = (value) => typeof value === 'number'

export const anyObject: Shape<Readonly<Record<string, unknown>>> = (
  value,
): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

export const optional = <A>(shape: Shape<A>): Optional<A> => ({ optional: shape })

export const oneOf =
  <A extends string>(members: readonly A[]): Shape<A> =>
  (value): value is A =>
    (members as readonly unknown[]).includes(value)

export const listOf =
  <A>(shape: Shape<A>): Shape<readonly A[]> =>
  (value): value is readonly A[] =>
    Array.isArray(value) && value.every((item) => shape(item))

/** An object with any names, and values of one shape. */
export const recordOf =
  <A>(shape: Shape<A>): Shape<Readonly<Record<string, A>>> =>
  (value): value is Readonly<Record<string, A>> =>
    anyObject(value) && Object.values(value).every((item) => shape(item))

/** An object with these fields; others, of a later version, are let through. */
export const objectOf = <A extends object>(fields: Fields<A>): Shape<A> => {
  const each = Object.entries<Optional<unknown> | Shape<unknown>>(fields)
  return (value): value is A =>
    anyObject(value) &&
    each.every(([name, field]) =>
      typeof field === 'function'
        ? field(value[name])
        : value[name] === undefined || field.optional(value[name]),
    )
}
