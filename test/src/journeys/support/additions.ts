import type { AccountDetails } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { gasAccount, sample, type JsonObject } from '../../support/samples.js'
import type { World } from './world.js'

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

/** The contents of account `A-1`. */
export const storedDetails = async ({ stores, key }: World): Promise<AccountDetails> => {
  const account = await answer(stores.accounts.find(key('A-1')))
  if (account === undefined) throw new Error('there is no account')
  return account.details
}
