import { KeyRate } from '@account-import/adapter-http-koa'
import { makeUseCases, type AuditTrail, type RateUse } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { sendGraphql, type GraphqlBody } from './support/graphql.js'
import { serve } from './support/serve.js'

const login = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token refreshToken } }'

/** A service in memory with a rate; `used`: how much of each window was asked for, `recorded`: uses of keys on record. */
const served = async (t: ExecutionContext, limit: ConstructorParameters<typeof KeyRate>[1]) => {
  const used = new Map<string, number>()
  const use = ({ subject, beginsAt, amount }: RateUse) => {
    const name = `${subject} ${beginsAt}`
    used.set(name, (used.get(name) ?? 0) + amount)
    return TE.right(used.get(name) ?? 0)
  }
  const ports = inMemoryPorts()
  const recorded = { uses: 0 }
  const auditTrail = {
    ...ports.auditTrail,
    recordUse: (asked: Parameters<AuditTrail['recordUse']>[0]) => {
      recorded.uses += 1
      return ports.auditTrail.recordUse(asked)
    },
  }
  const useCases = makeUseCases({ ...ports, auditTrail })
  const made = await setUp(useCases.operator)
  const limits = { rate: new KeyRate({ use }, limit) }
  const { baseUrl } = await serve(t, useCases, { limits })
  const obtain = async (input: object) => {
    const answer = await sendGraphql(baseUrl, { query: login, variables: { input } })
    return { answer, body: (await answer.json()) as GraphqlBody }
  }
  return { ...made, baseUrl, obtain, used, recorded }
}

type Obtained = Readonly<{ obtainToken: Readonly<{ token: string; refreshToken: string }> }>

test('logins count for the rate of their key: beyond it they are throttled, and nothing is recorded', async (t) => {
  const { obtain, apiKey, recorded } = await served(t, { requests: 3, seconds: 86_400 })
  const first = await obtain({ apiKey })
  const { refreshToken } = (first.body.data as Obtained).obtainToken
  for (let at = 1; at < 3; at += 1) t.is((await obtain({ apiKey })).body.errors, undefined)
  for (const credentials of [{ apiKey }, { refreshToken }]) {
    const { answer, body } = await obtain(credentials)
    t.deepEqual(
      body.errors?.map(({ extensions }) => extensions?.['code']),
      ['TOO_MANY_ATTEMPTS'],
    )
    t.true(Number(answer.headers.get('retry-after')) > 0)
  }
  t.is(recorded.uses, 3)
})

test('each line of a bulk request counts for the rate of its key: the stream waits for the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier, used } = await served(t, { requests: 4, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const numbers = Array.from({ length: 13 }, (_, at) => `A-${at}`)
  const answer = await fetch(`${baseUrl}/v1/data-import/account-import-process/bulk-validate/`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: numbers.map((number) => JSON.stringify(gasAccount(supplier, number))).join('\n'),
  })
  t.is(answer.status, 200)
  const lines = (await answer.text()).trim().split('\n')
  t.is(lines.filter((line) => (JSON.parse(line) as { status?: number }).status === 200).length, 13)
  // One login, one request and 13 lines, at most 4 in a window.
  t.true(used.size >= 4, [...used].join(' '))
  t.true([...used.values()].every((count) => count <= 4))
})

test('each account of a bulk-process request counts for the rate of its key: the results pause until the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier, team, used } = await served(t, { requests: 20, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const send = (name: string, type: string, body: string): Promise<Response> =>
    fetch(`${baseUrl}/v1/data-import/account-import-process/${name}/`, {
      method: 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': type },
      body,
    })
  const accounts = Array.from({ length: 40 }, (_, at) => JSON.stringify(gasAccount(supplier, `A-${at}`)))
  await (await send('bulk-create-or-update', 'application/x-ndjson', accounts.join('\n'))).text()
  const before = [...used.values()].reduce((sum, count) => sum + count, 0)
  const request = { import_supplier_code: supplier, operations_team_name: team }
  const answer = await send('bulk-process', 'application/json', JSON.stringify(request))
  const lines = (await answer.text()).trim().split('\n')
  t.deepEqual(JSON.parse(lines.at(-1) ?? ''), { summary: { received: 40, created: 40, failed: 0 } })
  const after = [...used.values()].reduce((sum, count) => sum + count, 0)
  t.true(after - before > 40, `${after - before} counted`)
  t.true([...used.values()].every((count) => count <= 20))
})
