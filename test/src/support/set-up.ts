import type { OperatorUseCases } from '@account-import/core'
import { randomUUID } from 'node:crypto'
import { answer } from './answers.js'

/** A unique code. */
export const freshCode = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8).toUpperCase()}`

/** The set-up by an operator before a client can begin. */
export type SetUp = Readonly<{ organisation: string; supplier: string; team: string; apiKey: string }>

/** An organisation with one Ongoing supplier, a team and an API key with all scopes. */
export const setUp = async (operator: OperatorUseCases, supplier = freshCode('SUP')): Promise<SetUp> => {
  const organisation = freshCode('ORG')
  const team = freshCode('Team')
  await answer(operator.createOrganisation({ code: organisation }))
  await answer(operator.createSupplier({ code: supplier, organisation }))
  await answer(operator.createTeam(team))
  const { apiKey } = await answer(operator.createApiKey({ organisation }))
  return { organisation, supplier, team, apiKey }
}
