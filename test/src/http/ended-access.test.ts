import { portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test, { type ExecutionContext } from 'ava'
import { setTimeout as delay } from 'node:timers/promises'
import { openBulk } from '../support/bulk-exchange.js'
import { get, serve } from './support/serve.js'

const listPath = '/v1/data-import/all-account-import-processes/LEVANTE/'

const away = portFailure('unavailable', 'apiKeys', 'find', new Error('away'))

/** A service whose access ends with this refusal once a list has its first page, and a bulk request its first answer. */
const ending = async (
  t: ExecutionContext,
  refusal: Extract<Awaited<ReturnType<UseCases['reauthenticate']>>, { _tag: 'Left' }>['left'],
) => {
  let asked = 0
  const { baseUrl, logged } = await serve(
    t,
    {
      reauthenticate: async () => {
        asked += 1
        return asked < 3 ? E.right(undefined) : E.left(refusal)
      },
      allAccountImports: async () =>
        E.right(
          (async function* () {
            yield []
            await delay(60_000, undefined, { ref: false })
          })(),
        ),
      bulkValidate: async ({ lines }) =>
        E.right(
          (async function* () {
            for await (const { line } of lines) yield t.fail(`line ${line} has no end`) as never
          })(),
        ),
    },
    { recheckMilliseconds: 20 },
  )
  const entry = async () => {
    while (logged.length === 0) await delay(5)
    t.true(asked >= 3)
    return logged[0]
  }
  return { baseUrl, entry }
}

test('a list breaks off within its stream when the access of its request has ended', async (t) => {
  const { baseUrl, entry } = await ending(t, { _tag: 'AuthenticationFailed' })
  const answer = await get(baseUrl + listPath)
  t.is(answer.status, 200)
  await t.throwsAsync(answer.text())
  t.like(await entry(), { aborted: true, failure: { kind: 'unexpected', name: 'AccessEnded' } })
})

test('a stream of bytes without a line end breaks off when the access of its request has ended', async (t) => {
  const { baseUrl, entry } = await ending(t, { _tag: 'AuthenticationFailed' })
  const { sending, answer } = openBulk('bulkValidate', { baseUrl, token: 'good' })
  sending.on('error', () => undefined)
  const writing = setInterval(() => sending.write('x'), 5)
  await t.throwsAsync(answer)
  clearInterval(writing)
  t.like(await entry(), { aborted: true, failure: { kind: 'unexpected', name: 'AccessEnded' } })
})

test('a list breaks off when the access of its request cannot be checked', async (t) => {
  const { baseUrl, entry } = await ending(t, away)
  await t.throwsAsync((await get(baseUrl + listPath)).text())
  t.like(await entry(), { failure: { kind: 'unavailable', port: 'apiKeys', operation: 'find' } })
})
