import type { SharedDatabase } from '../../support/shared-database.js'
import type { Broken } from './broken.js'

type Row = Readonly<{ external_account_number: string; platform_account_number: string | null }>

const rowsOf = async ({ knex, organisation }: SharedDatabase, table: string): Promise<readonly Row[]> =>
  (await knex(table)
    .where({ organisation })
    .select('external_account_number', 'platform_account_number')) as readonly Row[]

/**
 * At most one account for each import; every staging and every creation that was acknowledged is there, with the number
 * that was told.
 */
export const checkAccounts = async (
  database: SharedDatabase,
  staged: Iterable<string>,
  created: ReadonlyMap<string, string>,
): Promise<Broken> => {
  const imports = new Set(
    (await rowsOf(database, 'account_imports')).map((row) => row.external_account_number),
  )
  const accounts = new Map<string, string[]>()
  for (const { external_account_number: number, platform_account_number: platform } of await rowsOf(
    database,
    'accounts',
  ))
    accounts.set(number, [...(accounts.get(number) ?? []), String(platform)])
  const lost = [...staged].filter((number) => !imports.has(number)).map((number) => `${number} was staged`)
  for (const [number, platform] of created)
    if (accounts.get(number)?.includes(platform) !== true) lost.push(`${number} was created as ${platform}`)
  const doubled = [...accounts].filter(([, platforms]) => platforms.length > 1)
  return { lost, doubled: doubled.map(([number, platforms]) => `${number}: ${platforms.join()}`), other: [] }
}
