import test from 'ava'
import { onBackend } from '../support/on-backend.js'
import { sample } from '../support/samples.js'
import { operations } from './contract/contract.js'
import { canary } from './contract/leaks.js'
import { Exchange } from './exchange.js'
import { fieldsOf, withAt } from './fields.js'
import type { Account, Request } from './request.js'
import { created, request } from './requests/well-meant.js'
import { emptyOutcome, tryRequest } from './run.js'
import { served } from './service/served.js'

/** What somebody has sent in place of a value before. */
const hostileValues: readonly unknown[] = [
  null,
  '',
  ' ',
  canary,
  '\u0000',
  '\ud800',
  '\u{1F600}\u202E',
  'x'.repeat(70_000),
  '-0',
  '9'.repeat(64),
  '2024-02-30',
  '9999-12-31',
  '../../etc/passwd',
  "'; DROP TABLE accounts; --",
  '__proto__',
  0,
  -1,
  1e21,
  0.1 + 0.2,
  true,
  [],
  [null],
  {},
  { __proto__: null, constructor: { prototype: 1 } },
]

const bodies: Readonly<Record<string, readonly string[]>> = {
  // Both take the same body: each sample is sent to one of them.
  validateAccount: ['electricity-account.json'],
  stageAccount: ['gas-account.json'],
  addNotes: ['notes.json'],
  addHistoricalStatements: ['historical-statements.json'],
  addPaymentInstruction: ['payment-instruction.json'],
  addTransactions: ['transactions.json'],
}

const requestsWith = (account: Account): readonly Request[] =>
  operations.flatMap(({ id, path, method, body }) => {
    if (method !== 'POST' || body?.type !== 'application/json' || id === 'obtainToken') return []
    const values: readonly unknown[] = bodies[id]?.map(sample) ?? [body.example]
    return values.flatMap((value) =>
      fieldsOf(body.schema, value).flatMap((field) =>
        hostileValues.map((hostile) =>
          request(account, 'POST', path, withAt(aboutOf(value, account), field, hostile)),
        ),
      ),
    )
  })

const aboutOf = (value: unknown, { supplier, number, team }: Account): unknown => ({
  ...(value as object),
  ...('import_supplier_code' in (value as object)
    ? { import_supplier_code: supplier, operations_team_name: team }
    : { import_supplier: supplier }),
  ...('external_account_numbers' in (value as object)
    ? { external_account_numbers: [number] }
    : { external_account_number: number }),
})

test('whatever stands in whichever field of whichever body, the answer is as the document declares it', async (t) => {
  t.timeout(900_000)
  await onBackend.sqlite(async (url) => {
    const service = await served(url)
    t.teardown(() => service.close())
    const exchange = new Exchange(service.port, 120_000)
    t.teardown(() => exchange.close())
    const outcome = emptyOutcome()
    const account = { ...service.facts, supplier: service.facts.suppliers[0] ?? '', number: 'F-1' }
    for (const each of created(account)) await tryRequest(exchange, each, 0, outcome)
    const all = requestsWith(account)
    let next = 0
    const lane = async (): Promise<void> => {
      for (let each = all[next++]; each !== undefined; each = all[next++])
        await tryRequest(exchange, each, next, outcome)
    }
    await Promise.all([lane(), lane(), lane(), lane()])
    t.deepEqual(outcome.violations.slice(0, 10), [])
    t.is(service.ended(), undefined)
    t.false(service.log().includes(canary))
    t.log(`${outcome.requests} requests, ${outcome.codes.size} codes`)
    t.true(outcome.requests > 3000 && outcome.codes.size > 30)
  })
})
