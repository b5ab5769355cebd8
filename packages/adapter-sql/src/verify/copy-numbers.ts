import { tables } from '../rows/tables.js'
import type { RowFindings } from './row-findings.js'

type AnyRow = Readonly<Record<string, unknown>>

/** Tells whether the transactions of each id are numbered from 0 on. */
export const copyNumbers = () => {
  const ids = new Map<string, { count: number; highest: number }>()
  return {
    visit: (row: AnyRow): void => {
      const id = String(row['transaction_id'])
      const known = ids.get(id) ?? { count: 0, highest: -1 }
      known.count += 1
      known.highest = Math.max(known.highest, Number(row['copy']))
      ids.set(id, known)
    },
    compare: (findings: RowFindings): void => {
      const wrong = [...ids.values()].filter(({ count, highest }) => highest !== count - 1)
      if (wrong.length > 0) findings.add('copies_wrong', tables.transactions, ['copy'], wrong.length)
    },
  }
}
