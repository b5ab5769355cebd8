import { FAILED, type Failed } from '../codec/failed.js'

/**
 * A payload as the codecs leave it for the rules over several fields: whatever could not be read is `FAILED`, at
 * any depth, and a required field may be absent.
 */
export type Readable<A> = A extends string | number | boolean
  ? A
  : A extends readonly (infer Item)[]
    ? readonly (Readable<Item> | Failed)[]
    : A extends object
      ? { readonly [Name in keyof A]?: Readable<A[Name]> | Failed }
      : A

/** A list as it is read: absent, unreadable as a whole, or with items of which each may be unreadable. */
export type ReadList<A> = readonly (A | Failed)[] | Failed | undefined

/** Whether a field is present and could be read; a rule that needs it is skipped otherwise. */
export const isRead = <A>(value: A | Failed | undefined): value is A =>
  value !== undefined && value !== FAILED

const nothing: readonly never[] = []

/** The items of a list, none when it is absent or could not be read; single items may be `FAILED`. */
export const itemsOf = <A>(items: ReadList<A>): readonly (A | Failed)[] => (isRead(items) ? items : nothing)
