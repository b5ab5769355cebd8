import { scopes } from '@account-import/core'
import { endpoints } from '@account-import/http-contract'
import test, { type ExecutionContext } from 'ava'
import { endpointNames, ours, requests, theirs, twoOrganisations, vendors } from './identity.js'

const world = async (t: ExecutionContext) => {
  let hasTheirVendor = false
  const { tokenFor, giveToOther, close, ...asking } = await twoOrganisations({
    paymentVendors: {
      ...vendors,
      isRegistered: (code, organisation) =>
        (code !== theirs.vendor || hasTheirVendor) && vendors.isRegistered(code, organisation),
    },
  })
  t.teardown(close)
  const tokens: (readonly [scope: string, token: string | undefined])[] = [['none', undefined]]
  for (const scope of scopes) tokens.push([scope, await tokenFor([scope])])
  tokens.push(['all', await tokenFor(scopes)])
  const give = async (): Promise<void> => {
    await giveToOther()
    hasTheirVendor = true
  }
  return { ...asking, tokens, giveToOther: give }
}

/** Whether an endpoint may respond in this way to a token with this scope, apart from the names in the request. */
const isRight = (
  name: keyof typeof endpoints,
  scope: string,
  answers: readonly Readonly<{ status: number }>[],
): boolean => {
  const isAdmitted = scope === 'all' || endpoints[name].scopes.every((needed) => needed === scope)
  return answers.every(({ status }) => {
    if (scope === 'none') return status === 401
    return isAdmitted ? status !== 401 && status !== 403 && status < 500 : status === 403
  })
}

test('resources of another organisation get the responses of unknown ones, at every endpoint, with every token', async (t) => {
  const { tokens, ask, giveToOther, heldByOther } = await world(t)
  const cells = endpointNames.flatMap((name) =>
    requests[name].names.flatMap((part) => tokens.map(([scope, token]) => ({ name, part, scope, token }))),
  )
  const askAll = () =>
    Promise.all(cells.map(({ name, part, token }) => ask(name, { ...ours, [part]: theirs[part] }, token)))
  const missing = await askAll()
  await giveToOther()
  const before = await heldByOther()
  const others = await askAll()
  t.deepEqual(await heldByOther(), before)
  const named = cells.map(({ name, part, scope }) => `${name} ${part} ${scope}`)
  t.log(`${cells.length * 2} cells of other and missing`)
  t.deepEqual(
    named.filter((_, index) => JSON.stringify(missing[index]) !== JSON.stringify(others[index])),
    [],
  )
  t.deepEqual(
    named.filter((_, index) => {
      const [cell, answers = []] = [cells[index], others[index]]
      return cell === undefined || !isRight(cell.name, cell.scope, answers)
    }),
    [],
  )
})

test('resources of an organisation are for tokens with the scope only, at every endpoint', async (t) => {
  const { tokens, ask } = await world(t)
  const violations: string[] = []
  for (const name of endpointNames)
    for (const [scope, token] of tokens) {
      const answers = await ask(name, ours, token)
      if (!isRight(name, scope, answers))
        violations.push(`${name} ${scope}: ${answers.map(({ status }) => status).join()}`)
    }
  t.log(`${endpointNames.length * tokens.length} cells of its own`)
  t.deepEqual(violations, [])
})
