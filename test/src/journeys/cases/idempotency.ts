import { request } from 'node:http'
import { defaultServiceSettings } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { createdAccount, storedDetails } from '../support/additions.js'
import type { Journey } from '../support/journey.js'
import { tokenOf } from '../support/token-of.js'
import { transaction } from '../support/transactions.js'

const sending = async (
  baseUrl: string,
  token: string,
  path: string,
  key: string,
  body: JsonObject,
): Promise<Readonly<{ status: number; replayed: boolean; text: string }>> => {
  const answered = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
  })
  const replayed = answered.headers.get('Idempotency-Replayed') === 'true'
  return { status: answered.status, replayed, text: await answered.text() }
}

const wholeImport: Journey = {
  title:
    'with keys, each request of an import that changes something is answered again as the first time, and done once',
  run: async (t, open) => {
    const { baseUrl, raw, apiKey, supplier, team, client } = await open()
    const token = await tokenOf(raw, apiKey)
    const base = '/v1/data-import'
    const named = { import_supplier: supplier, external_account_number: 'A-1' }
    const requests: readonly (readonly [path: string, body: JsonObject, status: number])[] = [
      [`${base}/account-import-process/create-or-update/`, gasAccount(supplier, 'A-1'), 201],
      [
        `${base}/account-import-process/process/`,
        { import_supplier_code: supplier, external_account_number: 'A-1', operations_team_name: team },
        201,
      ],
      [`${base}/notes/create/`, { ...named, notes: [{ body: 'Once.' }] }, 201],
      [
        `${base}/transactions/create/?check_previously_added=false`,
        { ...named, transactions: [transaction('T-1')] },
        201,
      ],
      [`${base}/historical-statements/create/`, { ...named, statements: [] }, 201],
      [
        `${base}/payment-instruction/create/`,
        { ...named, vendor: 'SANDBOX', reference: 'sandbox-1', type: 'CARD' },
        201,
      ],
    ]
    for (const [path, body, status] of requests) {
      const first = await sending(baseUrl, token, path, 'key-1', body)
      t.deepEqual([first.status, first.replayed], [status, false], first.text)
      const again = await sending(baseUrl, token, path, 'key-1', body)
      t.deepEqual(again, { ...first, replayed: true })
    }
    t.is(inShort(await client.transferStatus(supplier, 'A-1')), '200')
  },
}

const nothingKept: Journey = {
  title:
    'of a request with a key that changes nothing no answer is kept, and the key stays with what it holds',
  run: async (t, open) => {
    const { baseUrl, raw, apiKey, supplier, team, client, stores, key } = await open()
    const token = await tokenOf(raw, apiKey)
    const staged = gasAccount(supplier, 'A-1')
    successOf(await client.stageAccount(staged))
    const dryRun = { import_supplier_code: supplier, operations_team_name: team, dry_run: true }
    const [validation, processing] = ['validate-account/', 'account-import-process/process/']
    const requests: readonly (readonly [path: string, body: JsonObject, status: number])[] = [
      [validation, staged, 200],
      [validation, { ...gasAccount(supplier, 'A-2'), customers: [] }, 400],
      [validation, { ...staged, notes: 'x'.repeat(300_000) }, 400],
      [processing, { ...dryRun, external_account_number: 'A-1' }, 400],
      [processing, { ...dryRun, external_account_number: 'A-2' }, 400],
    ]
    for (const [at, [name, body, status]] of requests.entries()) {
      const ask = (asked: JsonObject) =>
        sending(baseUrl, token, `/v1/data-import/${name}`, `key-${at}`, asked)
      const first = await ask(body)
      t.deepEqual([first.status, first.replayed], [status, false], first.text)
      t.deepEqual(await ask(body), first)
      t.is((await ask({ ...body, other: 1 })).status, 422, name + at)
    }
    t.deepEqual((await answer(stores.personalData.find(key('A-1'))))?.answers, [])
    t.is(await answer(stores.personalData.find(key('A-2'))), undefined)
  },
}

const addedOnce: Journey = {
  title: 'of 20 requests at the same time with one key, which each would add once more, one adds',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const { baseUrl, raw, apiKey, supplier } = world
    const token = await tokenOf(raw, apiKey)
    const path = '/v1/data-import/transactions/create/?check_previously_added=false'
    const body = {
      import_supplier: supplier,
      external_account_number: 'A-1',
      transactions: [transaction('T-1')],
    }
    const all = await Promise.all(
      Array.from({ length: 20 }, () => sending(baseUrl, token, path, 'one', body)),
    )
    const first = all.filter(({ status, replayed }) => status === 201 && !replayed)
    const others = all.filter(({ status, replayed }) => status === 409 || replayed)
    t.is(others.length, 19)
    const { text } = await sending(baseUrl, token, path, 'one', body)
    t.deepEqual(
      first.map((each) => each.text),
      [text],
    )
    const { ledgers } = await storedDetails(world)
    const added = ledgers.flatMap((ledger) => ledger.current_statement_transactions ?? [])
    t.is(added.filter(({ transaction_id }) => transaction_id === 'T-1').length, 1)
  },
}

/** The status of a POST whose request line has this target, and whether it was answered before. */
const askedBy = (baseUrl: string, target: string, headers: Readonly<Record<string, string>>, body: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    const sent = request({ hostname, port, path: target, method: 'POST', headers }, (answered) => {
      answered.resume()
      resolve(`${answered.statusCode} ${String(answered.headers['idempotency-replayed'] ?? 'new')}`)
    })
    sent.once('error', reject)
    sent.end(body)
  })

const inEachForm: Journey = {
  title: 'a key is the same in whichever form a client or a proxy writes the address',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const { baseUrl, raw, apiKey, supplier } = world
    const headers = {
      Authorization: `Token ${await tokenOf(raw, apiKey)}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'one',
    }
    const body = JSON.stringify({
      import_supplier: supplier,
      external_account_number: 'A-1',
      transactions: [transaction('T-1')],
    })
    const path = '/v1/data-import/transactions/create'
    const search = '?check_previously_added=false'
    const answers: string[] = []
    for (const target of [`${path}/`, path, `http://proxy.example${path}/`, `HTTPS://h1.example:81${path}`])
      answers.push(await askedBy(baseUrl, target + search, headers, body))
    t.deepEqual(answers, ['201 new', '201 true', '201 true', '201 true'])
    const { ledgers } = await storedDetails(world)
    const added = ledgers.flatMap((ledger) => ledger.current_statement_transactions ?? [])
    t.is(added.filter(({ transaction_id }) => transaction_id === 'T-1').length, 1)
  },
}

const byTheClient: Journey = {
  title:
    'the client gets the same answer with a key, and a failure where the key was used for something else',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier, stores, key } = world
    const options = { idempotencyKey: 'key-1' }
    const staged = successOf(await client.stageAccount(gasAccount(supplier, 'A-1'), options))
    t.is(staged.status, 201)
    t.is(successOf(await client.stageAccount(gasAccount(supplier, 'A-1'), options)).status, 201)
    t.is((await answer(stores.accountImports.find(key('A-1'))))?.stagedVersion, 1)
    const other = failureOf(await client.stageAccount(gasAccount(supplier, 'A-2'), options))
    t.is(inShort(other), '422 idempotency_key_reused')
    t.is(successOf(await client.stageAccount(gasAccount(supplier, 'A-1'))).status, 200)
  },
}

const bounded: Journey = {
  title:
    'once an organisation keeps as many bytes as it may, a new key is 429 and nothing is done; known keys work, and requests without',
  run: async (t, open) => {
    const settings = { ...defaultServiceSettings, keptBytesPerDay: 2048 }
    const { baseUrl, raw, apiKey, supplier, client, stores, key } = await open({ ports: { settings } })
    const token = await tokenOf(raw, apiKey)
    const path = '/v1/data-import/account-import-process/create-or-update/'
    const ask = (at: number) => sending(baseUrl, token, path, `key-${at}`, gasAccount(supplier, `A-${at}`))
    const statuses: number[] = []
    for (let at = 0; at < 9; at += 1) statuses.push((await ask(at)).status)
    const refused = statuses.indexOf(429)
    t.true(refused > 0, String(statuses))
    t.true(statuses.slice(refused).every((status) => status === 429))
    t.is(await answer(stores.accountImports.find(key(`A-${refused}`))), undefined)
    t.like(await ask(0), { status: 201, replayed: true })
    t.is(successOf(await client.stageAccount(gasAccount(supplier, `A-${refused}`))).status, 201)
  },
}

export const idempotencyJourneys: readonly Journey[] = [
  wholeImport,
  nothingKept,
  addedOnce,
  inEachForm,
  bounded,
  byTheClient,
]
