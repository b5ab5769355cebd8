import { graphqlAddress, obtainTokenMutation, type ObtainedToken } from '@account-import/http-contract'
import type { OperatorUseCases } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { freshCode, setUp } from '../../support/set-up.js'
import type { Facts } from '../request.js'

/** So many sequences may be under way at one time. */
const mostLanes = 6

const tokenFor = async (baseUrl: string, apiKey: string): Promise<string> => {
  const response = await fetch(baseUrl + graphqlAddress.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: obtainTokenMutation, variables: { input: { apiKey } } }),
  })
  const { data } = (await response.json()) as { data: { obtainToken: ObtainedToken } }
  return data.obtainToken.token
}

/** Everything that is there before the first request: two organisations, suppliers, keys and their tokens. */
export const setUpFacts = async (operator: OperatorUseCases, baseUrl: string): Promise<Facts> => {
  const { organisation, supplier, team, apiKey } = await setUp(operator)
  const other = await setUp(operator)
  const suppliers = [supplier]
  for (let i = 1; i < mostLanes; i += 1) {
    const code = freshCode('SUP')
    await answer(operator.createSupplier({ code, organisation }))
    suppliers.push(code)
  }
  const pausedSupplier = freshCode('SUP')
  await answer(operator.createSupplier({ code: pausedSupplier, organisation }))
  await answer(operator.setSupplierStatus({ code: pausedSupplier, status: 'paused' }))
  const keyFor = async (scope: 'validate' | 'read'): Promise<string> =>
    (await answer(operator.createApiKey({ organisation, scopes: [scope] }))).apiKey
  const tokens = {
    full: await tokenFor(baseUrl, apiKey),
    foreign: await tokenFor(baseUrl, other.apiKey),
    validate: await tokenFor(baseUrl, await keyFor('validate')),
    read: await tokenFor(baseUrl, await keyFor('read')),
  }
  return { suppliers, pausedSupplier, foreignSupplier: other.supplier, team, apiKey, tokens }
}
