import type { Client } from '@account-import/client'
import { instantOf, type Account, type AccountPayload, type Instant } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import { successOf } from '../support/results.js'
import { gasAccount } from '../support/samples.js'
import type { SharedDatabase } from '../support/shared-database.js'
import { answer } from '../support/answers.js'
import { breaksFound } from '../verify/support/breaks-of.js'
import { recordFaults } from './record-faults.js'
import type { Tally } from './tally.js'

/** Whether the account is there, whole, with the number that clients were told. */
const checkAccount = async (
  { stores, key, supplier, team }: SharedDatabase,
  number: string,
  { told, isRestaged }: Readonly<{ told: string | undefined; isRestaged: boolean }>,
  begun: Instant,
): Promise<string | undefined> => {
  const account = await answer(stores.accounts.find(key(number)))
  if (account === undefined) return `${number}: there is no account`
  if (told === undefined) return `${number}: nobody was told its platform account number`
  if (account.platformAccountNumber !== told)
    return `${number}: another platform account number than was told`
  if (!(begun <= account.createdAt && account.createdAt <= instantOf(Date.now())))
    return `${number}: created at a time outside of the run`
  const payload = gasAccount(supplier, number) as AccountPayload
  // All but the time, which nobody was told, is what clients sent and were answered.
  const expected: Account = {
    key: key(number),
    platformAccountNumber: told,
    operationsTeam: team,
    stagedVersion: isRestaged ? account.stagedVersion : 1,
    createdAt: account.createdAt,
    details: accountFromPayload(payload, account.createdAt),
  }
  return isDeepStrictEqual(account, expected) ? undefined : `${number}: not whole`
}

const checkApi = async (
  client: Client,
  supplier: string,
  told: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const faults: string[] = []
  const list = async (name: 'pending' | 'imported') =>
    successOf(await client.listAccountImports({ importSupplier: supplier, list: name })).body
  if ((await list('pending')).length > 0) faults.push('accounts are still pending')
  const listed = new Map((await list('imported')).map((item) => [item.external_account_number, item]))
  if (listed.size !== told.size) faults.push(`${listed.size} accounts are listed, not ${told.size}`)
  for (const [number, platform] of told) {
    const { body } = successOf(await client.transferStatus(supplier, number))
    if (body.status !== 'COMPLETED' || body.platform_account_number !== platform)
      faults.push(`${number}: status ${body.status} ${body.platform_account_number}`)
    if (listed.get(number)?.platform_account_number !== platform) faults.push(`${number}: listed otherwise`)
  }
  return faults
}

/** Everything that is wrong after all accounts were processed, inside the database and through the API. */
export const verify = async (
  database: SharedDatabase,
  client: Client,
  tally: Tally,
  numbers: readonly string[],
  begun: Instant,
): Promise<readonly string[]> => {
  const told = new Map([...tally.learned, ...tally.acknowledged])
  const faults = [...tally.unexpected, ...(await breaksFound(database.knex))]
  for (const number of numbers) {
    const fault = await checkAccount(
      database,
      number,
      { told: told.get(number), isRestaged: tally.restaged.has(number) },
      begun,
    )
    if (fault !== undefined) faults.push(fault)
  }
  faults.push(...(await recordFaults(database, numbers)))
  return [...faults, ...(await checkApi(client, database.supplier, told))]
}
