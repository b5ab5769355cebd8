import type { AccountDetails } from '@account-import/core'
import type { Client, Result } from '@account-import/client'
import { answer } from '../../support/answers.js'
import { gasAccount, sample, type JsonObject } from '../../support/samples.js'
import type { World } from './world.js'

/** A request that adds data to an account: its sample, and how it is sent. */
export type Addition = Readonly<{
  name: string
  path: string
  sample: string
  send(client: Client, request: JsonObject): Promise<Result<unknown>>
}>

/** Every request that adds data to created accounts. */
export const additions: readonly Addition[] = [
  {
    name: 'notes',
    path: '/v1/data-import/notes/create/',
    sample: 'notes.json',
    send: (client, request) => client.addNotes(request),
  },
  {
    name: 'historical statements',
    path: '/v1/data-import/historical-statements/create/',
    sample: 'historical-statements.json',
    send: (client, request) => client.addHistoricalStatements(request),
  },
  {
    name: 'payment instruction',
    path: '/v1/data-import/payment-instruction/create/',
    sample: 'payment-instruction.json',
    send: (client, request) => client.addPaymentInstruction(request),
  },
  {
    name: 'transactions',
    path: '/v1/data-import/transactions/create/',
    sample: 'transactions.json',
    send: (client, request) => client.addTransactions(request),
  },
]

/** A sample request for another supplier and account. */
export const additionTo = (
  file: string,
  importSupplier: string,
  externalAccountNumber: string,
): JsonObject => ({
  ...sample(file),
  import_supplier: importSupplier,
  external_account_number: externalAccountNumber,
})

/** Makes the gas sample account `A-1` of the world's supplier. */
export const createdAccount = async ({ client, supplier, process }: World): Promise<void> => {
  await client.stageAccount(gasAccount(supplier, 'A-1'))
  await process('A-1')
}

/** What account `A-1` holds. */
export const storedDetails = async ({ stores, key }: World): Promise<AccountDetails> => {
  const account = await answer(stores.accounts.find(key('A-1')))
  if (account === undefined) throw new Error('there is no account')
  return account.details
}
