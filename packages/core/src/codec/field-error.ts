import type { FieldCode } from '../catalogue/index.js'

/**
 * One failure of the input, as it is answered.
 *
 * - `detail`: text for people; may change, never holds a value of the payload
 * - `code`: stable, from the catalogue, or of a market pack that the service is set up with
 * - `attr`: dot-delimited path: field names and zero-based indexes; empty for the payload itself
 */
export type FieldError = Readonly<{ detail: string; code: FieldCode; attr: string }>
