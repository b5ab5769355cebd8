import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { E } from '@account-import/core/fp'
import { createContainer, longBodiesId, readConfig } from '@account-import/server'
import { plainContext } from '@account-import/core/payloads'
import { type BulkResultLine, endpoints } from '@account-import/http-contract'
import test, { type ExecutionContext } from 'ava'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { started } from './support/started.js'

const servedWith = async (t: ExecutionContext) => {
  const { address, useCases, entries } = await started(t)
  const made = await setUp(useCases.operator)
  const token = await tokenOf(rawApi(address), made.apiKey)
  const send = async (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const sent = await fetch(address + path, {
      method: 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', ...headers },
      body,
    })
    return { status: sent.status, headers: sent.headers, text: await sent.text() }
  }
  return { ...made, useCases, entries, send }
}

/** The start of an account in which a list of empty objects follows; random, so that gzip makes it not too short. */
const many = (account: object, field: string, count = 1_200_000): string => {
  const padded = { ...account, padding: randomBytes(40_000).toString('base64') }
  return `${JSON.stringify(padded).slice(0, -1)},"${field}":[${'{},'.repeat(count - 1)}{}]}`
}

test('1.2 million empty objects are too many values in each kind of request, and end no thread', async (t) => {
  const { supplier, team, send, entries } = await servedWith(t)
  const account = gasAccount(supplier, 'N-1')
  const body = many(account, 'unknown')
  const inShort = ({ code, errors }: NonNullable<BulkResultLine['error']>): string =>
    `${code}: ${errors.map((each) => `${each.attr} ${each.code}`).join()}`
  const refusal = async (...given: Parameters<typeof send>): Promise<string> => {
    const { status, text } = await send(...given)
    return `${status} ${inShort(JSON.parse(text) as NonNullable<BulkResultLine['error']>)}`
  }
  const refused = 'account_failed_validation: unknown too_many_values'
  const { validateAccount, stageAccount, addNotes, bulkImport } = endpoints
  t.is(await refusal(validateAccount.path, body), `400 ${refused}`)
  t.is(await refusal(stageAccount.path, body), `400 ${refused}`)
  const gzip = { 'Content-Encoding': 'gzip' }
  t.is(await refusal(validateAccount.path, gzipSync(body), gzip), `400 ${refused}`)
  t.is(
    await refusal(addNotes.path, many({ import_supplier: supplier }, 'notes')),
    '400 request_failed_validation: notes too_many_values',
  )
  const { text } = await send(
    `${bulkImport.path}?operations_team_name=${team}`,
    `${JSON.stringify(account)}\n${body}\n`,
    { 'Content-Type': 'application/x-ndjson' },
  )
  const [first, second] = text.split('\n').map((line) => JSON.parse(line || '{}') as BulkResultLine)
  t.is(first?.status, 201)
  t.like(second, { line: 2, status: 400, external_account_number: 'N-1' })
  t.is(second?.error && inShort(second.error), refused)
  t.deepEqual(
    entries.filter((entry) => 'failure' in entry),
    [],
  )
})

test('a long account is staged as it was sent, and its documents are looked up', async (t) => {
  const { supplier, organisation, team, useCases, send } = await servedWith(t)
  const severities = { path_does_not_exist_in_file_store: 'warn' } as const
  await answer(
    useCases.operator.configureSupplier({
      code: supplier,
      change: (settings) => ({ ...settings, severities }),
    }),
  )
  const metadata = [
    { key: 'k', value: { list: Array.from({ length: 9000 }, (_, index) => `${index} ${'x'.repeat(20)}…`) } },
  ]
  const text = JSON.stringify({ ...gasAccount(supplier, 'N-1'), metadata })
  const { status, headers } = await send(endpoints.stageAccount.path, text)
  t.is(status, 201)
  t.regex(headers.get('Import-Warnings') ?? '', /statement_path|document_path/)
  const payload = {
    import_supplier_code: supplier,
    external_account_number: 'N-1',
    operations_team_name: team,
  }
  await answer(useCases.processAccount({ organisation, payload }))
  const again = await send(endpoints.stageAccount.path, text)
  t.like(JSON.parse(again.text), { code: 'account_already_imported', same_data: true })
})

test('the thread works in the order of the requests, skips those whose clients have left, and ends', async (t) => {
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:' }, 'operate')
  if (E.isLeft(config)) return t.fail()
  const container = createContainer(config.right, undefined)
  t.teardown(() => container.unbindAllAsync())
  const thread = container.get(longBodiesId)
  if (thread === undefined) return t.fail()
  const { read, validator, close } = thread
  const bytes = new TextEncoder().encode(JSON.stringify({ ...gasAccount('S', 'N-1'), metadata: [] }))
  const left = new AbortController()
  const order: string[] = []
  const noted = async <A>(name: string, work: Promise<A>): Promise<A> => work.finally(() => order.push(name))
  const works = [
    noted('first', read(bytes, true, new AbortController().signal)),
    noted('left', read(bytes, true, left.signal)),
    noted('not JSON', read(bytes.subarray(1), false, new AbortController().signal)),
  ]
  left.abort(new Error('the client left'))
  const [first, skipped, broken] = await Promise.allSettled(works)
  t.deepEqual(order, ['left', 'first', 'not JSON'])
  t.like(skipped, { status: 'rejected', reason: { message: 'the client left' } })
  t.like(broken, { value: { left: { _tag: 'NotJson', at: { line: 1, column: 18 } } } })
  if (first?.status !== 'fulfilled' || E.isLeft(first.value)) return t.fail()
  const sent = first.value.right
  t.deepEqual(sent.payload, { import_supplier: 'S', external_account_number: 'N-1' })
  t.like(await validator(sent, plainContext, []), { right: { right: { isWhole: true } } })
  t.is(validator({ payload: {}, text: '{}' }, plainContext, []), undefined)
  await close()
  t.like(await validator({ ...sent, text: '{' }, plainContext, []), {
    left: { port: 'longBodies', operation: 'check', cause: { message: 'SyntaxError' } },
  })
})
