import type { ErrorCode } from '../catalogue/index.js'
import { FAILED, type Failed } from '../codec/failed.js'
import { below, type Place } from './place.js'
import { isRead, itemsOf, type ReadList } from './readable.js'
import type { Report } from './report.js'
import type { ListRule } from './rule.js'

/** What must not come twice: the text that tells the members of a set apart, and where a repeat is reported. */
export type Distinction<A> = Readonly<{
  code: ErrorCode
  field: string
  keyOf: (item: A) => string | Failed | undefined
}>

/**
 * Reports each item that has the key of an earlier one, in this list or in another that was judged with the same
 * `seen`. Items whose key could not be read are left out.
 */
export const reportRepeats = <A>(
  items: ReadList<A>,
  at: Place,
  report: Report,
  { code, field, keyOf }: Distinction<A>,
  seen: Set<string>,
): void => {
  if (!isRead(items)) return
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined || item === FAILED) continue
    const key = keyOf(item)
    if (!isRead(key)) continue
    if (seen.has(key)) report.add(code, below(at, index), field)
    else seen.add(key)
  }
}

/**
 * The first and the last key of a list whose keys ascend, as ids that are counted up do, so that they surely differ.
 * Undefined where they do not ascend or one cannot be read: then only a set can tell.
 */
const ascent = <A>(items: ReadList<A>, { keyOf }: Distinction<A>): KeyRange | undefined => {
  let first: string | undefined
  let last = ''
  for (const item of itemsOf(items)) {
    const key = item === FAILED ? FAILED : keyOf(item)
    if (!isRead(key) || (first !== undefined && key <= last)) return undefined
    first ??= key
    last = key
  }
  return { first: first ?? '', last, isEmpty: first === undefined }
}

type KeyRange = Readonly<{ first: string; last: string; isEmpty: boolean }>

/** Whether no two of a few items have one key; comparing each with each takes less time than a set. */
const fewDiffer = <A>(items: readonly (A | Failed)[], { keyOf }: Distinction<A>): boolean => {
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    const key = item === undefined || item === FAILED ? undefined : keyOf(item)
    if (!isRead(key)) return false
    for (let other = 0; other < index; other++) if (keyOf(items[other] as A) === key) return false
  }
  return true
}

/** As many items are compared each with each. */
const COMPARED = 4

/** Whether no two items of a list surely have one key. */
export const itemsDiffer = <A>(items: ReadList<A>, distinction: Distinction<A>): boolean => {
  if (!isRead(items)) return items === undefined
  if (items.length < 2) return true
  return items.length <= COMPARED ? fewDiffer(items, distinction) : ascent(items, distinction) !== undefined
}

/** As many lists are compared each with each; of more only a set can tell. */
const FEW = 8

/** Whether no key of the lists, taken together, surely comes twice: in each list they ascend, and no two lists meet. */
export const surelyDiffer = <A>(lists: readonly ReadList<A>[], distinction: Distinction<A>): boolean => {
  if (lists.length > FEW) return false
  const ranges: KeyRange[] = []
  for (const items of lists) {
    const range = ascent(items, distinction)
    if (range === undefined) return false
    if (range.isEmpty) continue
    for (const { first, last } of ranges) if (range.first <= last && first <= range.last) return false
    ranges.push(range)
  }
  return true
}

/** No two items of a list have one key. */
export const distinct =
  <A>(distinction: Distinction<A>): ListRule<A> =>
  (items, at, report) => {
    if (isRead(items) && !itemsDiffer(items, distinction))
      reportRepeats(items, at, report, distinction, new Set())
  }
