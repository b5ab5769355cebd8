import test from 'ava'
import type { BulkLine } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import {
  gasKey,
  left,
  organisation,
  pausing,
  processing,
  refusalOf,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

const other = { sales_channel: 'PARTNERSHIPS' }

/** A service in which the gas account is created. */
const withAccount = async () => {
  const made = await service()
  await right(staging(made.useCases))
  await right(processing(made.useCases))
  return made
}

test('validating, staging and processing an existing account report whether its data is the same', async (t) => {
  const { useCases } = await withAccount()
  const validating = (fields: object = {}) =>
    useCases.validateAccount({ organisation, payload: { ...sample('gas-account'), ...fields } })
  const said = async () => [
    (await right(validating())).sameData,
    (await right(validating(other))).sameData,
    ...(await Promise.all(
      [
        staging(useCases),
        staging(useCases, other),
        processing(useCases),
        processing(useCases, { operations_team_name: 'Nobody' }),
      ].map(async (call) => {
        const refused = await left<unknown, unknown>(call)
        return (refused as { sameData?: boolean }).sameData
      }),
    )),
  ]
  t.deepEqual(await said(), [true, false, true, false, true, true])
  await right(pausing(useCases))
  t.deepEqual(await said(), [true, false, true, false, true, true])
  const { organisation: _organisation, ...named } = gasKey
  await right(useCases.operator.eraseSubject(named))
  t.deepEqual(await said(), Array(6).fill(undefined))
})

test('accounts whose data cannot be compared fail staging and validating, and others are staged', async (t) => {
  const { ports, useCases } = await withAccount()
  const accountImports = failing(ports.accountImports, 'sameData', { kind: 'unavailable' })
  const faulty = makeUseCases({ ...ports, accountImports })
  const failed = { _tag: 'PortFailure', kind: 'unavailable', operation: 'sameData' }
  t.like(await left(staging(faulty)), failed)
  t.like(await left(faulty.validateAccount({ organisation, payload: sample('gas-account') })), failed)
  t.is((await right(staging(faulty, { external_account_number: 'OTHER' }))).outcome, 'created')
  t.is(await refusalOf(staging(useCases)), 'AccountAlreadyImported')
})

test('lines that are staged together report same data for existing accounts', async (t) => {
  const { useCases } = await withAccount()
  const lines = [{}, { external_account_number: 'NEW' }, { external_account_number: 'B', ...other }].map(
    (fields, index): BulkLine => ({
      line: index + 1,
      bytes: 2,
      json: async () => E.right({ payload: { ...sample('gas-account'), ...fields } }),
    }),
  )
  await right(staging(useCases, { external_account_number: 'B' }))
  await right(processing(useCases, { external_account_number: 'B' }))
  const outcomes: unknown[] = []
  for await (const page of await right(useCases.bulkStage({ organisation, lines })))
    for (const { outcome } of page)
      outcomes.push(
        E.isLeft(outcome) ? 'sameData' in outcome.left && outcome.left.sameData : outcome.right.outcome,
      )
  t.deepEqual(outcomes, [true, 'created', false])
})

test('validation asks for the supplier and the import at the same time', async (t) => {
  const { ports } = await service()
  const { accountImports, importSuppliers } = ports
  let asked: () => void = () => undefined
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const useCases = makeUseCases({
    ...ports,
    accountImports: {
      ...accountImports,
      find: (key) => {
        asked()
        return accountImports.find(key)
      },
    },
    importSuppliers: {
      ...importSuppliers,
      find: async (...named) => {
        await isAsked
        return importSuppliers.find(...named)
      },
    },
  })
  const forecast = await right(useCases.validateAccount({ organisation, payload: sample('gas-account') }))
  t.is(forecast.staging, 'created')
})
