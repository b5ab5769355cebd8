import { E, type Either } from '@account-import/core/adapter-kit'
import type * as server from '@account-import/server'
import { names } from '../workload/names.js'

const rightOf = <A>(result: Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`Set-up was refused: ${JSON.stringify(result.left)}`)
  return result.right
}

/** What the package of a build exports, as far as it is needed here. */
export type ServerPackage = Pick<typeof server, 'openService' | 'readConfig'>

/** Migrates the database by a build and makes what an operator makes once; answers the API key. */
export const setUpOperator = async (
  { openService, readConfig }: ServerPackage,
  environment: server.Environment,
): Promise<string> => {
  const service = await openService(rightOf(readConfig(environment, 'operate')), { migrate: true })
  try {
    const { operator } = service.useCases
    rightOf(await operator.createOrganisation({ code: names.organisation })())
    rightOf(await operator.createSupplier({ code: names.supplier, organisation: names.organisation })())
    rightOf(await operator.createTeam(names.team)())
    return rightOf(await operator.createApiKey({ organisation: names.organisation })()).apiKey
  } finally {
    await service.close()
  }
}
