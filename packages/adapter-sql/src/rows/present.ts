type Nullable<R> = { [K in keyof R]: null extends R[K] ? K : never }[keyof R]

/** The same fields, but those that may be null may be absent instead. */
export type Present<R> = Omit<R, Nullable<R>> & { [K in Nullable<R>]?: Exclude<R[K], null> }

/** Leaves out the fields that are null: what was not sent is absent again. */
export const present = <R extends object>(fields: R): Present<R> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Present<R>
