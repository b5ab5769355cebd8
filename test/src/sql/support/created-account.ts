import type { StorePorts } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../../support/answers.js'
import { gasAccount } from '../../support/samples.js'
import { setUp, type SetUp } from '../../support/set-up.js'

/** The service on a database, where the account A-1 exists. */
export type Service = SetUp & Readonly<{ useCases: ReturnType<typeof makeUseCases>; stores: StorePorts }>

/** Stages the gas sample, changed like this, under the number, and creates its account. */
export const createAccount = async (
  useCases: Service['useCases'],
  { organisation, supplier, team }: SetUp,
  number: string,
  changes: object = {},
): Promise<void> => {
  const account = { ...gasAccount(supplier, number), ...changes }
  await answer(useCases.stageAccount({ organisation, payload: account }))
  const payload = {
    external_account_number: number,
    import_supplier_code: supplier,
    operations_team_name: team,
  }
  await answer(useCases.processAccount({ organisation, payload }))
}

/** The service on a database, with the gas sample, changed like this, as a created account A-1. */
export const withAccount = async (stores: StorePorts, changes: object = {}): Promise<Service> => {
  const useCases = makeUseCases(inMemoryPorts(stores))
  const made = await setUp(useCases.operator)
  await createAccount(useCases, made, 'A-1', changes)
  return { ...made, useCases, stores }
}
