import type { Client, Result } from '@account-import/client'
import { isDeepStrictEqual } from 'node:util'
import { inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import type { Held, Looked } from './look-at.js'

/** The number of requests, or repeats, of each kind. */
const most = 20

const listed = async (client: Client, importSupplier: string, list: 'pending' | 'imported') => {
  const all: (readonly [string, string | undefined])[] = []
  for await (const page of client.accountImportPages({ importSupplier, list, limit: 1000 }))
    for (const item of successOf(page).body)
      all.push([item.external_account_number, item.platform_account_number ?? undefined])
  return new Map(all)
}

/** Lists, summary and statuses that differ from the stored data, or report work in progress. */
const reportedDifferences = async (
  client: Client,
  { supplier }: SharedDatabase,
  all: readonly Looked[],
): Promise<readonly string[]> => {
  const created = all.filter(({ account }) => account !== undefined)
  const staged = all.filter(({ account, staged: one }) => account === undefined && one !== undefined)
  const { body } = successOf(await client.accountImportSummary(supplier))
  const { total, in_progress, skipped } = body
  const told = {
    counts: [total, body.staged, in_progress, body.created, skipped],
    imported: await listed(client, supplier, 'imported'),
    pending: [...(await listed(client, supplier, 'pending')).keys()],
  }
  const expected = {
    counts: [all.length, staged.length, 0, created.length, 0],
    imported: new Map(
      created.map(({ key, account }) => [key.externalAccountNumber, account?.platformAccountNumber]),
    ),
    pending: staged.map(({ key }) => key.externalAccountNumber),
  }
  const faults: string[] = []
  if (!isDeepStrictEqual(told.counts, expected.counts))
    faults.push(`I4, I7: reported are ${told.counts.join()} imports, stored are ${expected.counts.join()}`)
  if (!isDeepStrictEqual(told.imported, expected.imported)) faults.push('I7: the list of accounts is another')
  if (!isDeepStrictEqual(told.pending.toSorted(), expected.pending.toSorted()))
    faults.push(`I7: pending are reported as ${told.pending.join()}`)
  for (const [number, platform] of [...expected.imported].slice(-most)) {
    const status = successOf(await client.transferStatus(supplier, number)).body
    if (status.status !== 'COMPLETED' || status.platform_account_number !== platform)
      faults.push(`I7: ${number}: status ${status.status} ${status.platform_account_number}`)
  }
  return faults
}

const tables = ['account_imports', 'account_items']

const sizes = async ({ knex, organisation }: SharedDatabase): Promise<string> => {
  const counts: string[] = []
  for (const table of tables) {
    const [row] = (await knex(table).where({ organisation }).count({ count: '*' })) as { count: number }[]
    counts.push(`${row?.count} ${table}`)
  }
  return counts.join(', ')
}

/** The answer to a repeat; throws for an answer without an outcome, as when a node has just left. */
const said = (result: Result<unknown>): string => {
  if (!result.ok && (result.status === 0 || result.status === 503))
    throw new Error(`a repeat was answered ${inShort(result)}`)
  return inShort(result)
}

/** A repeat never does the same work again: it is refused, or reports that it is done, and adds nothing. */
const repeatFaults = async (
  client: Client,
  { database, requests }: Required<Held>,
  all: readonly Looked[],
): Promise<readonly string[]> => {
  const { supplier, team } = database
  const faults: string[] = []
  const before = await sizes(database)
  for (const { key } of all.filter(({ account }) => account !== undefined).slice(-most)) {
    const number = key.externalAccountNumber
    const names = { import_supplier_code: supplier, operations_team_name: team }
    const answers = [
      said(await client.processAccount({ ...names, external_account_number: number })),
      said(await client.stageAccount(gasAccount(supplier, number))),
    ]
    if (answers.some((each) => each !== '400 account_already_imported'))
      faults.push(`I5: ${number} again: ${answers.join()}`)
  }
  for (const repeat of requests.repeats.slice(-most)) {
    const fault = await repeat(client)
    if (fault !== undefined) faults.push(fault)
  }
  const after = await sizes(database)
  if (after !== before) faults.push(`I5: repeats changed ${before} to ${after}`)
  return faults
}

/** Wrong answers of servers, once all requests are answered. */
export const answerFaults = async (
  held: Required<Held>,
  all: readonly Looked[],
): Promise<readonly string[]> => {
  const [client] = held.clients
  if (client === undefined) return []
  const faults = await reportedDifferences(client, held.database, all)
  return [...faults, ...(await repeatFaults(client, held, all))]
}
