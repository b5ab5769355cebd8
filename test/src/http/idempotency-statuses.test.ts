import { portFailure, type UseCases } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { answeringOnce, isReplayed, keyed } from './support/answering-once.js'
import { post, problemIn, processPath, serve, stagePath } from './support/serve.js'

type Refusals = Readonly<Record<string, ReturnType<UseCases['processAccount']>>>

const keptRefusals: Refusals = {
  '400 import_process_does_not_exist': TE.left({ _tag: 'NothingStaged' }),
  '400 dry_run_succeeded': TE.left({ _tag: 'DryRunSucceeded' }),
  '400 account_failed_validation': TE.left({
    _tag: 'AccountFailedValidation',
    errors: [{ detail: 'd', code: 'required', attr: 'customers' }],
    warnings: [],
  }),
}

for (const [expected, refusal] of Object.entries(keptRefusals))
  test(`the answer ${expected} stays, and the log knows its code again`, async (t) => {
    let runs = 0
    const { baseUrl, logged } = await serve(t, {
      ...answeringOnce(),
      processAccount: () => {
        runs += 1
        return refusal
      },
    })
    const answers = [
      await post(baseUrl + processPath, '{}', keyed('k')),
      await post(baseUrl + processPath, '{}', keyed('k')),
    ]
    t.deepEqual(answers.map(isReplayed), [false, true])
    for (const answer of answers) t.is(await problemIn(t, answer), expected)
    t.is(runs, 1)
    const [first, again] = logged.map(({ code, errors, replayed }) => ({ code, errors, replayed }))
    t.deepEqual(again, { ...first, replayed: true })
    t.is(`400 ${again?.code}`, expected)
  })

const passingRefusals: Refusals = {
  '429 account_import_in_progress': TE.left({ _tag: 'AccountProcessedElsewhere', retryAfterSeconds: 1 }),
  '429 concurrency_limit_reached': TE.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 1 }),
  '500 error': TE.left(portFailure('unexpected', 'accounts', 'create', new Error('x'))),
  '503 service_unavailable': TE.left(portFailure('unavailable', 'accounts', 'create', new Error('x'))),
}

for (const [expected, refusal] of Object.entries(passingRefusals))
  test(`after ${expected} the same request runs again, and another body stays refused`, async (t) => {
    let runs = 0
    const { baseUrl } = await serve(t, {
      ...answeringOnce(),
      processAccount: () => {
        runs += 1
        return runs === 1 ? refusal : TE.right({ platformAccountNumber: 'A-1', warnings: [] })
      },
    })
    t.is(await problemIn(t, await post(baseUrl + processPath, '{}', keyed('k'))), expected)
    const other = await post(baseUrl + processPath, '{"a":1}', keyed('k'))
    t.is(await problemIn(t, other), '422 idempotency_key_reused')
    const second = await post(baseUrl + processPath, '{}', keyed('k'))
    t.deepEqual([second.status, isReplayed(second)], [201, false])
    t.true(isReplayed(await post(baseUrl + processPath, '{}', keyed('k'))))
    t.is(runs, 2)
  })

test('what is refused before the body is read leaves the key as new, and so does a throw', async (t) => {
  let runs = 0
  const { baseUrl } = await serve(t, {
    ...answeringOnce(),
    stageAccount: () => {
      runs += 1
      if (runs === 1) throw new Error('a bug')
      return TE.right({ outcome: 'created', importSupplier: 'S', externalAccountNumber: 'N', warnings: [] })
    },
  })
  const send = (headers: Record<string, string> = {}, body = '{}') =>
    post(baseUrl + stagePath, body, keyed('k', headers))
  for (const [expected, headers] of [
    ['401 authentication_failed', { Authorization: 'Token bad' }],
    ['401 token_expired', { Authorization: 'Token old' }],
    ['403 permission_denied', { Authorization: 'Token only-read' }],
    ['406 not_acceptable', { Accept: 'text/html' }],
    ['415 unsupported_media_type', { 'Content-Type': 'text/plain' }],
  ] as const)
    t.is(await problemIn(t, await send(headers)), expected)
  t.is(await problemIn(t, await send({}, `"${'a'.repeat(5_242_880)}"`)), '413 payload_too_large')
  t.is(runs, 0)
  t.is(await problemIn(t, await send()), '500 error')
  t.is((await send()).status, 201)
  t.true(isReplayed(await send()))
})
