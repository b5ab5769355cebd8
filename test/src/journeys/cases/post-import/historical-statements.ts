import { additionTo, createdAccount, storedDetails } from '../../support/additions.js'
import type { Journey } from '../../support/journey.js'
import { failureOf, successOf } from '../../../support/results.js'
import { sample, type JsonObject } from '../../../support/samples.js'

const statement = (statement_id: string) => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id,
})

const inShort = (errors: readonly Readonly<{ attr: string; code: string }>[]): readonly string[] =>
  errors.map(({ attr, code }) => `${attr} ${code}`)

const sampleTwice: Journey = {
  title: 'the sample statements are stored and echoed as sent; the second time each of them is an entry',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier } = world
    await createdAccount(world)
    const before = (await storedDetails(world)).statements
    const request = additionTo('historical-statements.json', supplier, 'A-1')
    const first = successOf(await client.addHistoricalStatements(request))
    t.deepEqual([first.status, first.warningsTotal], [201, 0])
    t.deepEqual<unknown, unknown>(first.body, request)
    const [bill, short] = sample('historical-statements.json')['statements'] as readonly object[]
    const after = (await storedDetails(world)).statements
    t.deepEqual<unknown, unknown>(after, [
      ...before,
      { ...bill, gross_amount: '71.36' },
      { ...short, gross_amount: '68.90' },
    ])
    const { status, problem } = failureOf(await client.addHistoricalStatements(request))
    t.deepEqual([status, problem.code], [400, 'request_failed_validation'])
    t.deepEqual(inShort(problem.errors), [
      'statements.0.statement_id historical_statement_already_exists',
      'statements.1.statement_id historical_statement_already_exists',
    ])
    t.deepEqual((await storedDetails(world)).statements, after)
  },
}

const allOrNone: Journey = {
  title: 'one repeat, of the payload or of a request, keeps every statement of the request out',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier } = world
    await createdAccount(world)
    const before = (await storedDetails(world)).statements
    const ofPayload = before[0]?.statement_id ?? ''
    const send = (ids: readonly string[]) =>
      client.addHistoricalStatements({
        import_supplier: supplier,
        external_account_number: 'A-1',
        statements: ids.map(statement),
      })
    const refused = failureOf(await send(['new', ofPayload, 'newer'])).problem
    t.deepEqual(inShort(refused.errors), ['statements.1.statement_id historical_statement_already_exists'])
    const repeated = failureOf(await send(['new', ofPayload, 'new'])).problem
    t.deepEqual(inShort(repeated.errors), ['statements.2.statement_id duplicate_statement_ids'])
    t.deepEqual((await storedDetails(world)).statements, before)
    t.deepEqual(successOf(await send([])).body.statements, [])
    t.is(successOf(await send(['new', ofPayload.toLowerCase(), 'newer'])).status, 201)
    t.is((await storedDetails(world)).statements.length, before.length + 3)
  },
}

const faults: Journey = {
  title: 'faults of statements are entries in document order, and warnings of dates are headers',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier } = world
    await createdAccount(world)
    const request = { import_supplier: supplier, external_account_number: 'A-1' }
    const { problem } = failureOf(
      await client.addHistoricalStatements({
        ...request,
        statements: [
          { ...statement('a'), gross_amount: 1.001, statement_path: '/a.pdf' },
          { ...statement('b'), bill_period_to_date: '2023-12-31' },
        ],
      }),
    )
    t.deepEqual(inShort(problem.errors), [
      'statements.0.gross_amount max_decimal_places',
      'statements.0.statement_path document_path_outside_root',
      'statements.1.bill_period_to_date start_date_later_than_end_date',
    ])
    const { body, warnings } = successOf(
      await client.addHistoricalStatements({
        ...request,
        statements: [
          {
            ...statement('a'),
            bill_period_to_date: '2999-01-31',
            issued_date: '2999-02-01',
            gross_amount: '10.500',
            supply_type: 'GAS',
          },
        ],
      } as JsonObject),
    )
    t.deepEqual(inShort(warnings), [
      'statements.0.bill_period_to_date historical_statement_period_end_in_future',
      'statements.0.issued_date date_in_future',
      'statements.0.supply_type unknown_field',
    ])
    t.is(body.statements[0]?.gross_amount, '10.500')
    t.false('supply_type' in (body.statements[0] ?? {}))
    t.is<unknown, unknown>((await storedDetails(world)).statements.at(-1)?.gross_amount, '10.50')
  },
}

/** POST historical-statements/create, through the client. */
export const historicalStatementJourneys: readonly Journey[] = [sampleTwice, allOrNone, faults]
