import { textOf, type CatalogueEntry, type FieldCode, type Limits } from '../catalogue/index.js'
import type { FieldError } from './field-error.js'
import { comparePaths, pathText, type Path } from './path.js'

/** Something found, before it is put into words; `published` is what the catalogue or a market pack says of the code. */
export type Entry = Readonly<{
  path: Path | undefined
  code: FieldCode
  published: CatalogueEntry
  limits: Limits
}>

/**
 * Document order, then code. Limits decide between entries that are reported as one, so that the text does not
 * depend on which came first.
 */
export const compareEntries = (left: Entry, right: Entry): number =>
  comparePaths(left.path, right.path) ||
  compareText(left.code, right.code) ||
  compareText(String(left.limits.max ?? ''), String(right.limits.max ?? ''))

/** Whether two neighbours in document order are reported as one: equal path and code. */
export const isRepeat = (entry: Entry, before: Entry | undefined): boolean =>
  before !== undefined && entry.code === before.code && comparePaths(entry.path, before.path) === 0

export const toFieldError = ({ path, code, published, limits }: Entry): FieldError => ({
  detail: textOf(published, limits),
  code,
  attr: pathText(path),
})

const compareText = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1)
