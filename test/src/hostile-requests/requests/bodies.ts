import fc from 'fast-check'
import { sample } from '../../support/samples.js'
import { mutate, mutations, type Mutation } from '../../validation/mutations.js'
import { originals } from '../../validation/originals.js'
import type { DeclaredBody } from '../contract/contract.js'
import { canary } from '../contract/leaks.js'
import { fromSchema } from './from-schema.js'
import { graphqlBodies } from './graphql.js'
import { junk, longBodies } from './junk.js'
import { linesOf } from './lines.js'
import type { Account, Body, BodyFor } from '../request.js'

const samples: Readonly<Record<string, string>> = {
  addNotes: 'notes.json',
  addHistoricalStatements: 'historical-statements.json',
  addPaymentInstruction: 'payment-instruction.json',
  addTransactions: 'transactions.json',
}

const takesAccounts = new Set(['validateAccount', 'stageAccount', 'bulkValidate', 'bulkStage'])

/** Bodies that are accepted somewhere, by the endpoint that takes them. */
const wellFormed = (id: string, example: unknown): readonly string[] => {
  if (takesAccounts.has(id)) return originals
  const file = samples[id]
  return [JSON.stringify(example), ...(file === undefined ? [] : [JSON.stringify(sample(file))])]
}

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Puts the account of the sequence into a body, by the names that its request has for it. */
const bound = (value: JsonObject, { supplier, number, team }: Account): JsonObject => ({
  ...value,
  ['import_supplier_code' in value ? 'import_supplier_code' : 'import_supplier']: supplier,
  ...('external_account_numbers' in value
    ? { external_account_numbers: [number] }
    : { external_account_number: number }),
  ...('operations_team_name' in value ? { operations_team_name: team } : {}),
})

/** One value in place of another, somewhere: what is wrong is then not hidden behind other faults. */
const oneWrong: fc.Arbitrary<readonly Mutation[]> = fc
  .record({
    steps: fc.array(fc.nat(40), { maxLength: 5 }),
    kind: fc.constant('replace' as const),
    value: fc.constantFrom<unknown>(null, 0, -1, '', ' ', canary, [], {}, true, 1e21, '\u0000', '\ud800'),
    key: fc.constant(''),
    place: fc.nat(40),
  })
  .map((one) => [one])

const changesOf: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: oneWrong },
  { weight: 2, arbitrary: mutations },
)

/** Values that are mostly wrong somewhere, three of four about the account of the sequence. */
const valuesFor = (
  id: string,
  { schema, example }: DeclaredBody,
): fc.Arbitrary<(account: Account) => unknown> =>
  fc
    .record({
      value: fc.oneof(
        { weight: 2, arbitrary: fromSchema(schema) },
        {
          weight: 3,
          arbitrary: fc.constantFrom(...wellFormed(id, example)).map((text) => JSON.parse(text) as unknown),
        },
      ),
      changes: changesOf,
      isBound: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ value, changes, isBound }) => (account) => {
      const own: unknown = structuredClone(value)
      if (!isObject(own)) return own
      const about = isBound > 0 ? bound(own, account) : own
      mutate(about, changes)
      return about
    })

const json = (value: unknown): Body => {
  const text = JSON.stringify(value) ?? 'null'
  return { bytes: Buffer.from(text, 'utf8'), value: { json: JSON.parse(text) as unknown } }
}

const anyJunk: fc.Arbitrary<BodyFor> = fc
  .oneof(
    { weight: 80, arbitrary: fc.constantFrom(...junk) },
    { weight: 1, arbitrary: fc.constantFrom(...longBodies) },
  )
  .map((bytes) => () => ({ bytes }))

const meant = (id: string, body: DeclaredBody): fc.Arbitrary<BodyFor> => {
  if (id === 'obtainToken') return graphqlBodies
  const values = valuesFor(id, body)
  return body.type === 'application/json'
    ? values.map((value) => (account) => json(value(account)))
    : linesOf(values)
}

/** Bodies for an endpoint: such as it takes, such as it nearly takes, and bytes that mean nothing. */
export const bodiesFor = (id: string, body: DeclaredBody): fc.Arbitrary<BodyFor> =>
  fc.oneof({ weight: 7, arbitrary: meant(id, body) }, { weight: 1, arbitrary: anyJunk })
