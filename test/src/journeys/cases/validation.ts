import { readFileSync } from 'node:fs'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount, sample, type JsonObject } from '../../support/samples.js'

type Entry = Readonly<{ attr: string; code: string }>

const expected = JSON.parse(
  readFileSync(
    new URL('../../../../examples/samples/invalid-account.expected.json', import.meta.url),
    'utf8',
  ),
) as readonly Entry[]

const text = ({ attr, code }: Entry): string => `${attr} ${code}`

const invalidSample: Journey = {
  title:
    'invalid-account.json is refused by validate and stage with its errors in order and no other, and not stored',
  run: async (t, open) => {
    const { client, supplier } = await open()
    const account: JsonObject = { ...sample('invalid-account.json'), import_supplier: supplier }
    for (const result of [await client.validateAccount(account), await client.stageAccount(account)]) {
      const { status, problem } = failureOf(result)
      t.deepEqual([status, problem.code], [400, 'account_failed_validation'])
      t.deepEqual(problem.errors.map(text), expected.map(text))
      for (const { detail } of problem.errors) t.regex(detail, /\S/)
    }
    const { body } = successOf(await client.listAccountImports({ importSupplier: supplier, list: 'all' }))
    t.deepEqual(body, [])
  },
}

const unknownFields: Journey = {
  title: 'unknown fields are accepted, reported as warnings, and dropped from echo and staged data',
  run: async (t, open) => {
    const { client, supplier, stores, key } = await open()
    const known = gasAccount(supplier, 'A-1')
    const [customer] = known['customers'] as readonly object[]
    const account: JsonObject = { ...known, customers: [{ ...customer, nick_name: 'Lu' }], colour: { r: 1 } }
    const validated = successOf(await client.validateAccount(account))
    const staged = successOf(await client.stageAccount(account))
    for (const { warnings, warningsTotal } of [validated, staged]) {
      t.is(warningsTotal, 2)
      t.deepEqual(
        new Set(warnings.map(text)),
        new Set(['customers.0.nick_name unknown_field', 'colour unknown_field']),
      )
    }
    t.deepEqual(validated.body, successOf(await client.validateAccount(known)).body)
    const { payload } = (await answer(stores.accountImports.staged(key('A-1')))) ?? { payload: '' }
    t.deepEqual<unknown, unknown>(JSON.parse(payload), known)
  },
}

const processRequests: Journey = {
  title: 'a process request that is none gets all its errors, and nothing happens',
  run: async (t, open) => {
    const { client, supplier, team } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const { status, problem } = failureOf(
      await client.processAccount({
        import_supplier_code: supplier,
        operations_team_name: ' ',
        dry_run: 'no',
      } as JsonObject),
    )
    t.deepEqual([status, problem.code], [400, 'request_failed_validation'])
    t.deepEqual(problem.errors.map(text), [
      'external_account_number required',
      'operations_team_name blank',
      'dry_run invalid',
    ])
    const request = {
      external_account_number: 'A-1',
      import_supplier_code: supplier,
      operations_team_name: team,
    }
    t.is(
      inShort(await client.processAccount({ ...request, dry_run: null } as JsonObject)),
      '400 request_failed_validation',
    )
    t.is(successOf(await client.transferStatus(supplier, 'A-1')).body.attempts, 0)
  },
}

export const validationJourneys: readonly Journey[] = [invalidSample, unknownFields, processRequests]
