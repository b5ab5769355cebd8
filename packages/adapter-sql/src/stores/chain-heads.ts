import type { ChainHead } from '@account-import/core'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'

type HeadRow = Readonly<{ sequence: number | string; hash: string }>

const headText = `SELECT sequence, hash FROM ${tables.auditLog} WHERE organisation = ? ORDER BY sequence DESC LIMIT 1`

/** The end of an organisation's chain; number 0 and no hash where it has none. */
export const headOf = async (db: Statements, organisation: string): Promise<ChainHead> => {
  const [row] = await selectRows<HeadRow>(db, headText, [organisation])
  return { organisation, sequence: Number(row?.sequence ?? 0), hash: row?.hash ?? '' }
}

const nextText = `SELECT organisation FROM ${tables.auditLog} WHERE organisation > ? ORDER BY organisation LIMIT 1`
const firstText = `SELECT organisation FROM ${tables.auditLog} ORDER BY organisation LIMIT 1`

/** The ends of all chains: each organisation is found by the one before it, however long their chains are. */
export const chainHeads = async (db: Statements): Promise<readonly ChainHead[]> => {
  const heads: ChainHead[] = []
  for (;;) {
    const last = heads.at(-1)?.organisation
    const [row] = await selectRows<Readonly<{ organisation: string }>>(
      db,
      last === undefined ? firstText : nextText,
      last === undefined ? [] : [last],
    )
    if (row === undefined) return heads
    heads.push(await headOf(db, row.organisation))
  }
}
