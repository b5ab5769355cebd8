import type { Client } from '@account-import/client'
import { successOf } from '../../support/results.js'
import type { SharedDatabase } from '../../support/shared-database.js'

const countOf = async ({ knex, organisation }: SharedDatabase, table: string): Promise<number> => {
  const [row] = (await knex(table).where({ organisation }).count({ count: '*' })) as readonly {
    count: number
  }[]
  return Number(row?.count)
}

/** Every import is in exactly one state, nobody is at one any more, and each account has its e-mail. */
export const checkCounts = async (database: SharedDatabase, client: Client): Promise<readonly string[]> => {
  const { body } = successOf(await client.accountImportSummary(database.supplier))
  const { total, staged, in_progress: inProgress, created, skipped } = body
  const imports = await countOf(database, 'account_imports')
  const accounts = await countOf(database, 'accounts')
  const emails = await countOf(database, 'customer_emails')
  const faults: string[] = []
  if (total !== staged + inProgress + created + skipped)
    faults.push(`${total} is no sum: ${JSON.stringify(body)}`)
  if (total !== imports) faults.push(`${total} imports are counted, ${imports} are there`)
  if (created !== accounts) faults.push(`${created} accounts are counted, ${accounts} are there`)
  if (emails !== accounts) faults.push(`${emails} e-mails for ${accounts} accounts`)
  if (inProgress !== 0) faults.push(`${inProgress} imports are still in progress`)
  return faults
}
