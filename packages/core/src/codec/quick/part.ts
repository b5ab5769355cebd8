import type { Reader } from '../reader.js'

/** How a part is read quickly; `slow` stands for a codec that only its own `read` can judge. */
export type Way =
  | 'struct'
  | 'list'
  | 'refined'
  | 'text'
  | 'term'
  | 'key'
  | 'code'
  | 'choice'
  | 'date'
  | 'datetime'
  | 'integer'
  | 'decimal'
  | 'decimal text'
  | 'boolean'
  | 'document path'
  | 'free object'
  | 'email'
  | 'phone'
  | 'slow'

/**
 * A codec prepared for `readsQuickly`. All parts are of one form, whatever codec they stand for, so that the engine
 * makes fast code of the loop over them; limits and members are those of the codec.
 *
 * - `max`: the most UTF-16 units that a text may have to be accepted quickly
 * - `names`, `isRequired`: of the fields of a struct, in table order; empty otherwise
 * - `parts`: of these fields, the item of a list, or the base of a refinement
 */
export type Part = Readonly<{
  way: Way
  isScalar: boolean
  codec: Reader<unknown>
  max: number
  names: readonly string[]
  isRequired: readonly boolean[]
  parts: readonly Part[]
}>
