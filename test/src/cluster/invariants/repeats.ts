import type { Client, Result } from '@account-import/client'
import type { Addition } from '../../crash/additions/addition.js'
import { gasAccount } from '../../support/samples.js'
import { inShort } from '../../support/results.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import { saysNothing } from '../load/tally.js'

/** So many of each kind are repeated. */
const most = 20

const tables = ['account_imports', 'accounts', 'notes', 'transactions', 'statements', 'payment_instructions']

const sizes = async ({ knex, organisation }: SharedDatabase): Promise<string> => {
  const counts: string[] = []
  for (const table of tables) {
    const [row] = (await knex(table).where({ organisation }).count({ count: '*' })) as readonly {
      count: number
    }[]
    counts.push(`${row?.count} ${table}`)
  }
  return counts.join(', ')
}

/** The answer to a repeat; throws where it says nothing. */
const answerOf = (result: Result<unknown>): string => {
  if (!result.ok && saysNothing(result)) throw new Error(`a repeat was answered ${inShort(result)}`)
  return inShort(result)
}

/** What was done once is done by no repeat: it is refused, or found there, and nothing comes. Throws where nobody answers. */
export const checkRepeats = async (
  database: SharedDatabase,
  client: Client,
  created: ReadonlyMap<string, string>,
  added: readonly Addition[],
): Promise<readonly string[]> => {
  const { supplier, team } = database
  const faults: string[] = []
  const before = await sizes(database)
  for (const number of [...created.keys()].slice(-most)) {
    const request = {
      external_account_number: number,
      import_supplier_code: supplier,
      operations_team_name: team,
    }
    const answers = [
      answerOf(await client.processAccount(request)),
      answerOf(await client.stageAccount(gasAccount(supplier, number))),
    ]
    if (answers.some((answer) => answer !== '400 account_already_imported'))
      faults.push(`${number} again: ${answers.join()}`)
  }
  for (const addition of added.slice(-most)) {
    const verdict = await addition.send(client)
    if (verdict === 'cut off' || (typeof verdict === 'object' && verdict.status === 503))
      throw new Error('a repeat was not answered')
    // The same instruction is answered as when it was added, and kept once.
    if (
      verdict !== 'there' &&
      !(verdict === 'added' && addition.items[0]?.startsWith('instruction') === true)
    )
      faults.push(`${addition.items[0]} again: ${JSON.stringify(verdict)}`)
  }
  const after = await sizes(database)
  if (after !== before) faults.push(`repeats changed ${before} to ${after}`)
  return faults
}
