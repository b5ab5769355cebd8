import { createSqlPorts } from '@account-import/adapter-sql'
import { instantOf, type KeyRing } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPaymentVendors, inMemoryPorts } from '@account-import/core/in-memory'
import type { Opened } from '../../sql/support/databases.js'
import { answer } from '../../support/answers.js'
import { sample, type JsonObject } from '../../support/samples.js'
import { setUp, type SetUp } from '../../support/set-up.js'

const { reference, vendor } = sample('payment-instruction.json') as { reference: string; vendor: string }
const paymentVendors = inMemoryPaymentVendors(
  new Map([[vendor, new Map([[reference, { _tag: 'verified', details: { last4: '4242' } }]])]]),
)

const hour = 3_600_000

/**
 * Everything that the service can do, done once: accounts A-1 (gas, with additions and an e-mail) and A-2 (electricity) that
 * exist, S-1 that is staged, C-1 that is being created, F-1 whose creation failed, and K-1 that is skipped.
 */
export const fullJourney = async (knex: Opened['knex'], keyRing?: KeyRing): Promise<SetUp> => {
  const stores = createSqlPorts(knex, { keyRing })
  const useCases = makeUseCases(inMemoryPorts({ ...stores, paymentVendors }))
  const made = await setUp(useCases.operator)
  const { organisation, supplier, team } = made
  const addressed = (payload: JsonObject, number: string) => ({
    organisation,
    payload: { ...payload, import_supplier: supplier, external_account_number: number },
  })
  const stage = (name: string, number: string) =>
    answer(useCases.stageAccount(addressed(sample(`${name}-account.json`), number)))
  const keyOf = (number: string) => ({
    organisation,
    importSupplier: supplier,
    externalAccountNumber: number,
  })
  const claim = (number: string, token: string, milliseconds: number) =>
    answer(
      stores.accountImports.claim(
        [
          {
            key: keyOf(number),
            token,
            at: instantOf(Date.now()),
            expiresAt: instantOf(Date.now() + milliseconds),
            countsAsAttempt: true,
          },
        ],
        4,
      ),
    )
  await answer(
    useCases.operator.configureSupplier({
      code: supplier,
      change: (settings) => ({ ...settings, migrationEmails: true }),
    }),
  )
  for (const number of ['A-1', 'S-1', 'C-1', 'F-1', 'K-1']) await stage('gas', number)
  await stage('electricity', 'A-2')
  await stage('electricity', 'A-2')
  for (const number of ['A-1', 'A-2'])
    await answer(
      useCases.processAccount({
        organisation,
        payload: {
          import_supplier_code: supplier,
          external_account_number: number,
          operations_team_name: team,
        },
      }),
    )
  await answer(useCases.addNotes(addressed(sample('notes.json'), 'A-1')))
  await answer(useCases.addHistoricalStatements(addressed(sample('historical-statements.json'), 'A-1')))
  await answer(useCases.addPaymentInstruction(addressed(sample('payment-instruction.json'), 'A-1')))
  await answer(useCases.addTransactions(addressed(sample('transactions.json'), 'A-1')))
  await claim('C-1', 'claim-of-C-1', hour / 2)
  await claim('F-1', 'claim-of-F-1', hour / 2)
  await answer(
    stores.accountImports.release([
      { key: keyOf('F-1'), token: 'claim-of-F-1', failure: { code: 'error', at: instantOf(Date.now()) } },
    ]),
  )
  await answer(
    useCases.operator.setSkipped({ importSupplier: supplier, externalAccountNumber: 'K-1', skipped: true }),
  )
  return made
}
