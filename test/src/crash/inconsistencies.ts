import type { connectSql } from '@account-import/adapter-sql'

type Knex = ReturnType<typeof connectSql>

/** The tables whose rows belong to an account. */
const children = [
  'customers',
  'supply_addresses',
  'supply_points',
  'agreements',
  'ledgers',
  'transactions',
  'statements',
  'notes',
  'payment_instructions',
  'payment_schedules',
  'account_references',
  'account_metadata',
]

const key = ['organisation', 'import_supplier', 'platform_account_number'] as const

const countWithout = async (knex: Knex, table: string, other: string): Promise<number> => {
  const rows = (await knex(`${table} as a`)
    .leftJoin(`${other} as b`, (join) => {
      for (const column of key) join.andOn(`a.${column}`, `b.${column}`)
    })
    .whereNotNull('a.platform_account_number')
    .whereNull('b.platform_account_number')
    .count({ count: '*' })) as readonly { count: number }[]
  return Number(rows[0]?.count)
}

/** What must never be seen in the database: rows of accounts that are not there, and imports and accounts that disagree. */
export const inconsistencies = async (knex: Knex): Promise<readonly string[]> => {
  const found: string[] = []
  const expectNone = async (table: string, other: string): Promise<void> => {
    const count = await countWithout(knex, table, other)
    if (count !== 0) found.push(`${count} rows of ${table} without ${other}`)
  }
  for (const child of children) await expectNone(child, 'accounts')
  await expectNone('accounts', 'account_imports')
  await expectNone('account_imports', 'accounts')
  return found
}

/** The claims on accounts that do not exist; after the end of a server, what it was creating when it ended. */
export const openClaims = (knex: Knex): Promise<readonly string[]> =>
  knex('account_imports')
    .whereNotNull('claim_token')
    .whereNull('platform_account_number')
    .pluck('claim_token')
