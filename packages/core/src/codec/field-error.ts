import type { ErrorCode } from '../catalogue/index.js'

/**
 * One failure of the input, as it is answered.
 *
 * - `detail`: text for people; may change, never holds a value of the payload
 * - `code`: stable, from the catalogue
 * - `attr`: dot-delimited path: field names and zero-based indexes; empty for the payload itself
 */
export type FieldError = Readonly<{ detail: string; code: ErrorCode; attr: string }>
