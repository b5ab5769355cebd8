import { E } from '@account-import/core/fp'
import { endpoints, graphqlAddress, pathOf } from '@account-import/http-contract'
import test from 'ava'
import { entriesIn, get, post, serve } from './support/serve.js'

const allPath = '/v1/data-import/all-account-import-processes/LEVANTE/'

const wrongQueries = [
  ['limit=0', 'min_value limit'],
  ['limit=-5', 'min_value limit'],
  ['limit=1001', 'max_value limit'],
  ['limit=99999999999999999999', 'max_value limit'],
  ['limit=', 'invalid limit'],
  ['limit=ten', 'invalid limit'],
  ['limit=1.5', 'invalid limit'],
  ['limit=1e2', 'invalid limit'],
  ['limit=%2B5', 'invalid limit'],
  ['limit=1&limit=2', 'invalid limit'],
  ['cursor=', 'invalid cursor'],
  ['cursor=TjE', 'invalid cursor'],
  ['cursor=MU4x=', 'invalid cursor'],
  ['cursor=Mf__', 'invalid cursor'],
  ['cursor=MQ', 'invalid cursor'],
  ['cursor=x&cursor=y', 'invalid cursor'],
  ['limit=0&cursor=%00', 'min_value limit, invalid cursor'],
] as const

for (const [query, expected] of wrongQueries)
  test(`a list with ?${query} is refused: ${expected}`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const answer = await get(`${baseUrl}${allPath}?${query}`)
    t.notRegex(await answer.clone().text(), /\{(?:max|min|allowed|form)\}/)
    t.is(await entriesIn(t, answer), `400 request_failed_validation, ${expected}`)
  })

test('query parameters are true or false in any case, and other or repeated values are refused by name', async (t) => {
  const taken: unknown[] = []
  const { baseUrl } = await serve(t, {
    addTransactions: async ({ checkPreviouslyAdded, forceAddToCurrentStatement }) => {
      taken.push([checkPreviouslyAdded, forceAddToCurrentStatement])
      return E.right({ results: [], warnings: [] })
    },
  })
  const ask = async (query: string) => {
    const answer = await post(`${baseUrl}/v1/data-import/transactions/create/?${query}`, '{}')
    return answer.ok ? String(answer.status) : entriesIn(t, answer)
  }
  t.is(await ask('check_previously_added=TRUE&force_add_to_current_statement=False'), '201')
  t.is(await ask('check_previously_added=false&force_add_to_current_statement=true'), '201')
  t.is(await ask(''), '201')
  t.deepEqual(taken.splice(0), [
    [true, false],
    [false, true],
    [true, true],
  ])
  const refused = '400 request_failed_validation'
  for (const wrong of ['', '=', '=1', '=yes', '=true%20', '=true&check_previously_added=true'])
    t.is(await ask(`check_previously_added${wrong}`), `${refused}, invalid check_previously_added`, wrong)
  t.is(
    await ask('force_add_to_current_statement=0&check_previously_added=x'),
    `${refused}, invalid check_previously_added, invalid force_add_to_current_statement`,
  )
  t.deepEqual(taken, [])
})

for (const { method, path } of [...Object.values(endpoints), graphqlAddress])
  if (method === 'POST')
    test(`POST ${path} refuses unknown query parameters by name`, async (t) => {
      const { baseUrl } = await serve(t, {})
      const params = { import_supplier_code: 'A', external_account_number: 'B', import_run: 'C' }
      const ask = async (query: string) =>
        entriesIn(t, await post(`${baseUrl}${pathOf({ path }, params)}?${query}`, '{}'))
      const team = path.endsWith('/bulk-import/') ? 'operations_team_name=T&' : ''
      const refused = '400 request_failed_validation'
      t.is(await ask(`${team}dry_run=true`), `${refused}, unknown_field dry_run`)
      t.is(
        await ask(`${team}b=1&a&b=2&toString=1&__proto__=2&%C3%A1=1`),
        `${refused}, unknown_field b, unknown_field a, unknown_field toString, unknown_field __proto__, unknown_field `,
      )
    })

test('a bulk import needs the name of a team, and a wrong name is refused with its limit', async (t) => {
  const { baseUrl } = await serve(t, {})
  const ask = async (query: string) => {
    const answer = await post(`${baseUrl}${pathOf(endpoints.bulkImport)}${query}`, '')
    const { errors } = (await answer.clone().json()) as { errors: readonly { detail: string }[] }
    return [await entriesIn(t, answer), ...errors.map(({ detail }) => detail)]
  }
  const refused = '400 request_failed_validation'
  t.deepEqual(await ask(''), [`${refused}, required operations_team_name`, 'This field is missing. Add it.'])
  t.deepEqual(await ask(`?operations_team_name=${'x'.repeat(256)}`), [
    `${refused}, max_length operations_team_name`,
    'Too long. At most 255 characters or items are allowed.',
  ])
  t.is(
    (await ask('?operations_team_name=a&operations_team_name=b'))[0],
    `${refused}, invalid operations_team_name`,
  )
})
