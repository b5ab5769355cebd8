import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { makeUseCases, scopes, type PaymentVendors, type Scope } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import test, { type ExecutionContext } from 'ava'
import { right } from '../use-cases/support/service.js'
import { requests, type Named } from './requests.js'
import { send, type EndpointName } from './send.js'

const [own, other] = ['OWN', 'OTHER']
const ours: Named = { supplier: 'OURS', number: 'A-1', team: 'Our team', vendor: 'SANDBOX' }
const theirs: Named = { supplier: 'THEIRS', number: 'B-1', team: 'Their team', vendor: 'THEIRS' }
const names = Object.keys(endpoints) as EndpointName[]

const world = async (t: ExecutionContext) => {
  let hasTheirVendor = false
  const sandboxes = paymentVendors([
    sandboxVendor(),
    { ...sandboxVendor({ code: 'THEIRS' }), organisations: [other] },
  ])
  const vendors: PaymentVendors = {
    ...sandboxes,
    isRegistered: (code, organisation) =>
      (code !== 'THEIRS' || hasTheirVendor) && sandboxes.isRegistered(code, organisation),
  }
  const useCases = makeUseCases(inMemoryPorts({ paymentVendors: vendors }))
  const { operator } = useCases
  for (const code of [own, other]) await right(operator.createOrganisation({ code }))
  const create = async (organisation: string, { supplier, number, team }: Named): Promise<void> => {
    await right(operator.createSupplier({ code: supplier, organisation }))
    await right(operator.createTeam(team))
    await right(operator.bindTeam({ name: team, organisation }))
    const named = { supplier, number, team, vendor: 'SANDBOX' }
    await right(useCases.stageAccount({ organisation, payload: requests.stageAccount.of(named).body }))
    await right(useCases.processAccount({ organisation, payload: requests.processAccount.of(named).body }))
  }
  await create(own, ours)
  const tokenFor = async (granted: readonly Scope[]): Promise<string> => {
    const { apiKey } = await right(operator.createApiKey({ organisation: own, scopes: granted }))
    return (await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))).token
  }
  const tokens = new Map<string, string | undefined>([['none', undefined]])
  for (const scope of scopes) tokens.set(scope, await tokenFor([scope]))
  tokens.set('all', await tokenFor(scopes))
  const { baseUrl, close } = await listen(createApp(useCases, { log: () => undefined }))
  t.teardown(close)
  const giveToOther = async (): Promise<void> => {
    await create(other, theirs)
    hasTheirVendor = true
  }
  return { baseUrl, tokens, giveToOther }
}

test('what another organisation has is answered as what nobody has, at every endpoint, with every token', async (t) => {
  const { baseUrl, tokens, giveToOther } = await world(t)
  const cells = names.flatMap((name) =>
    requests[name].names.flatMap((part) =>
      [...tokens].map(([scope, token]) => ({ name, part, scope, token })),
    ),
  )
  const ask = () =>
    Promise.all(
      cells.map(({ name, part, token }) => send(baseUrl, name, { ...ours, [part]: theirs[part] }, token)),
    )
  const missing = await ask()
  await giveToOther()
  const others = await ask()
  const violations = cells.filter((_, index) => {
    const [before, after] = [missing[index], others[index]]
    return JSON.stringify(before) !== JSON.stringify(after)
  })
  const admitted = cells.map(({ name, scope }) => scope === 'all' || scope === endpoints[name].scope)
  const wrong = cells.filter(({ scope }, index) => {
    const status = others[index]?.status
    if (scope === 'none') return status !== 401
    return admitted[index] ? status === 401 || status === 403 : status !== 403
  })
  t.log(`${cells.length * 2} cells of other and missing, ${violations.length + wrong.length} violations`)
  t.deepEqual(
    violations.map(({ name, part, scope }) => [name, part, scope]),
    [],
  )
  t.deepEqual(
    wrong.map(({ name, part, scope }) => [name, part, scope]),
    [],
  )
})

test('what an organisation has itself is for tokens with the scope alone, at every endpoint', async (t) => {
  const { baseUrl, tokens } = await world(t)
  const violations: string[] = []
  for (const name of names)
    for (const [scope, token] of tokens) {
      const { status } = await send(baseUrl, name, ours, token)
      const isAdmitted = scope === 'all' || scope === endpoints[name].scope
      const expected = scope === 'none' ? status === 401 : (status !== 401 && status !== 403) === isAdmitted
      if (!expected || status >= 500) violations.push(`${name} ${scope}: ${status}`)
    }
  t.log(`${names.length * tokens.size} cells of its own, ${violations.length} violations`)
  t.deepEqual(violations, [])
})
