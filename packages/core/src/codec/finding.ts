import { textOf, type CatalogueEntry, type FieldCode, type Limits } from '../catalogue/index.js'
import type { FieldError } from './field-error.js'
import { comparePaths, pathText, type Path } from './path.js'

/** Something found in a payload. `published`: what the catalogue or a market pack says of the code. */
export type Finding = Readonly<{
  path: Path | undefined
  code: FieldCode
  published: CatalogueEntry
  limits: Limits
}>

/**
 * Document order, then code. Of findings with equal path and code only the first is reported; comparing their limits
 * too makes its text independent of the order in which they were found.
 */
export const compareFindings = (left: Finding, right: Finding): number =>
  comparePaths(left.path, right.path) ||
  compareText(left.code, right.code) ||
  compareText(String(left.limits.max ?? ''), String(right.limits.max ?? ''))

/** Whether two neighbours in document order have equal path and code, so that only one is reported. */
export const isRepeat = (finding: Finding, before: Finding | undefined): boolean =>
  before !== undefined && finding.code === before.code && comparePaths(finding.path, before.path) === 0

export const toFieldError = ({ path, code, published, limits }: Finding): FieldError => ({
  detail: textOf(published, limits),
  code,
  attr: pathText(path),
})

const compareText = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1)
