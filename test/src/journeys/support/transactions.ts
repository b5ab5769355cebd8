import type { TransactionOptions } from '@account-import/client'
import type { AddedTransactions } from '@account-import/http-contract'
import { answer } from '../../support/answers.js'
import { successOf } from '../../support/results.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import type { World } from './world.js'

export const added = 'TRANSACTION_ADDED_TO_ACCOUNT'
export const exists = 'TRANSACTION_ALREADY_EXISTS'
export const number = 'A-1'

/** The gas sample's ledger was closed on 2025-03-31. */
export const createdAccount = async (world: World, changed: JsonObject = {}): Promise<void> => {
  await world.client.stageAccount({ ...gasAccount(world.supplier, number), ...changed })
  const processed = await world.process(number)
  if (!processed.ok) throw new Error(JSON.stringify(processed.problem))
}

export const transaction = (id: string, changed: JsonObject = {}): JsonObject => ({
  transaction_id: id,
  transaction_date: '2025-06-01',
  amount: 10,
  type: 'CREDIT',
  reason: 'IMPORTED_CREDIT',
  ...changed,
})

export const post = (
  { client, supplier }: World,
  transactions: readonly JsonObject[],
  options?: TransactionOptions,
) =>
  client.addTransactions(
    { import_supplier: supplier, external_account_number: number, transactions } as JsonObject,
    options,
  )

export const send = async (
  world: World,
  transactions: readonly JsonObject[],
  options?: TransactionOptions,
): Promise<AddedTransactions['results']> => successOf(await post(world, transactions, options)).body.results

export const statuses = (results: AddedTransactions['results']): readonly string[] =>
  results.map(({ status }) => status)

export const stored = async ({ stores, key }: World) => {
  const account = await answer(stores.accounts.find(key(number)))
  if (account === undefined) throw new Error('there is no account')
  return account.details
}

export const currentIds = async (world: World): Promise<readonly string[]> =>
  ((await stored(world)).ledgers[0]?.current_statement_transactions ?? []).map((each) => each.transaction_id)
