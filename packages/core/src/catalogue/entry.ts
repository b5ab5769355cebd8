import type { Severity } from '../settings/supplier-settings.js'

/** The remedy for a client: change the data, change the set-up, or send the same request again. */
export type CodeClass = 'data' | 'set-up' | 'retry'

/**
 * The published properties of one code, in the API and in docs/reference/errors.md.
 *
 * - `detail`: text for people; the placeholders `{max}`, `{min}`, `{allowed}` and `{form}` are filled from the rule, never from
 *   data
 * - `where`: the places of the code: F, an entry of `errors`; W, a warning; T, the top-level `code` of a body
 * - `severity`: the default; `off` reports nothing
 * - `changeable`: whether a supplier's settings may choose another severity
 */
export type CatalogueEntry = Readonly<{
  detail: string
  where: readonly ('F' | 'W' | 'T')[]
  class: CodeClass
  severity: Severity
  changeable: boolean
}>

/** A field code of a type or rule: always an error. */
export const fieldError = (detail: string, codeClass: CodeClass = 'data'): CatalogueEntry => ({
  detail,
  where: ['F'],
  class: codeClass,
  severity: 'error',
  changeable: false,
})

/** A rule that warns regardless of the supplier's settings. */
export const fixedWarning = (detail: string, codeClass?: CodeClass): CatalogueEntry => ({
  ...fieldError(detail, codeClass),
  where: ['W'],
  severity: 'warn',
})

/** A rule that warns unless the supplier's settings have another severity. */
export const changeableWarning = (
  detail: string,
  severity: Severity = 'warn',
  codeClass?: CodeClass,
): CatalogueEntry => ({ ...fixedWarning(detail, codeClass), severity, changeable: true })
