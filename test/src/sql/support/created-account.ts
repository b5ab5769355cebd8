import { makeUseCases, type StorePorts } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { gasAccount } from '../../support/samples.js'
import { setUp, type SetUp } from '../../support/set-up.js'
import { answer } from '../../support/answers.js'

/** The service on a database, where the account A-1 exists. */
export type Service = SetUp & Readonly<{ useCases: ReturnType<typeof makeUseCases>; stores: StorePorts }>

/** The service on a database, with the gas sample, changed like this, as a created account A-1. */
export const withAccount = async (stores: StorePorts, changes: object = {}): Promise<Service> => {
  const useCases = makeUseCases(inMemoryPorts(stores))
  const made = await setUp(useCases.operator)
  const { organisation, supplier, team } = made
  await answer(
    useCases.stageAccount({ organisation, payload: { ...gasAccount(supplier, 'A-1'), ...changes } }),
  )
  await answer(
    useCases.processAccount({
      organisation,
      payload: {
        external_account_number: 'A-1',
        import_supplier_code: supplier,
        operations_team_name: team,
      },
    }),
  )
  return { ...made, useCases, stores }
}
