import type { ErrorCode } from '../catalogue/index.js'
import type { Failed } from '../codec/failed.js'
import { below, type KeyPath } from './key-path.js'
import { isRead, type ReadList } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import type { ListRule } from './rule.js'

/** What must not come twice: `keyOf` gives the text to compare, `field` is where a repeat is reported. */
export type Distinction<A> = Readonly<{
  code: ErrorCode
  field: string
  keyOf: (item: A) => string | Failed | undefined
}>

/**
 * Reports each item that has the key of an earlier one, in this list or in another that was validated with the same
 * `seen`. Items whose key could not be read are left out.
 */
export const reportRepeats = <A>(
  items: ReadList<A>,
  at: KeyPath,
  findings: RuleFindings,
  { code, field, keyOf }: Distinction<A>,
  seen: Set<string>,
): void => {
  if (!isRead(items)) return
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (!isRead(item)) continue
    const key = keyOf(item)
    if (!isRead(key)) continue
    if (seen.has(key)) findings.add(code, below(at, index), field)
    else seen.add(key)
  }
}

/** No two items of a list have one key. */
export const distinct =
  <A>(distinction: Distinction<A>): ListRule<A> =>
  (items, at, findings) => {
    if (isRead(items) && items.length > 1) reportRepeats(items, at, findings, distinction, new Set())
  }
