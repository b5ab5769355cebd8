import type { DataKeys } from '../encryption/data-keys.js'
import type { AccountRowKey } from '../rows/account-row-key.js'
import { asItIs, revealWith, type EncryptedDetails, type Reveal } from '../rows/reveal.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { accountKeyColumns, ofAccount } from '../statements/account-key.js'
import { selectRows } from '../statements/select-rows.js'

const detailsText = `SELECT t.ordinal, t.content FROM ${tables.encryptedDetails} AS t WHERE ${ofAccount('t')}`

/**
 * What gives the rows of an account as they were written. To be asked for after the rows were read: what those hide is
 * written with them. `column` is what the row of the account has as its data key.
 */
export const revealAccount = async (
  db: Statements,
  dataKeys: DataKeys,
  key: AccountRowKey,
  column: string | null,
): Promise<Reveal> => {
  const dataKey = await dataKeys.of(column)
  if (dataKey === undefined) return asItIs
  const bindings = accountKeyColumns.map((name) => key[name])
  return revealWith(dataKey, key, await selectRows<EncryptedDetails>(db, detailsText, bindings))
}
