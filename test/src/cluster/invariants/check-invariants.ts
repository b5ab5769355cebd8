import type { Client } from '@account-import/client'
import type { SharedDatabase } from '../../support/shared-database.js'
import { breaksFound } from '../../verify/support/breaks-of.js'
import type { Additions } from '../load/additions.js'
import type { Processings } from '../load/processings.js'
import { checkAccounts } from './accounts.js'
import { nothing, together, type Broken } from './broken.js'
import { checkCounts } from './counts.js'
import { checkAddedItems } from './items.js'
import { checkMoney } from './money.js'
import { checkRepeats } from './repeats.js'

/** What was asked for and answered, and the accounts that were added to. */
export type Asked = Readonly<{
  staged: ReadonlySet<string>
  process: Processings
  add: Additions
  /** The accounts that were added to, and what each was created with. */
  busy: readonly string[]
  createdWith: readonly string[]
}>

const other = (texts: readonly string[]): Broken => ({ ...nothing, other: texts })

/**
 * Holds everything that was acknowledged, and everything that the database has, to the invariants: one account at most for
 * an import; what was acknowledged is there, once; nothing is half there; nobody is in progress for ever; a repeat changes
 * nothing; money adds up; counts add up. That nobody was answered 500 the tally of the load says.
 */
export const checkInvariants = async (
  database: SharedDatabase,
  client: Client,
  { staged, process, add, busy, createdWith }: Asked,
): Promise<Broken> => {
  const untouched = [...process.created].find(([number]) => !busy.includes(number))?.[1] ?? ''
  return together([
    await checkAccounts(database, staged, process.created),
    { ...nothing, doubled: process.doubled.map((number) => `${number} was created twice`) },
    await checkAddedItems(database, add.known, busy, createdWith),
    other(await breaksFound(database.knex, { organisation: database.organisation })),
    other(await checkCounts(database, client)),
    other(await checkMoney(database, untouched)),
    other(await checkRepeats(database, client, process.created, add.known.acknowledged)),
  ])
}
