import { builtInSettings, type LocalDate } from '@account-import/core'
import { checkAccountPayload, type CheckContext } from '@account-import/core/payloads'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { accountPayloadSchema } from '@account-import/http-contract/openapi'
import { markdownTable, median } from '@account-import/test/performance'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inOrder, shuffled, sorted } from './workload/bodies.js'

const context: CheckContext = {
  settings: builtInSettings,
  defaultCountry: 'ES',
  today: '2025-09-01' as LocalDate,
}

/** The JSON Schema of the same fields, compiled: it knows no rule over several fields. */
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(accountPayloadSchema)

/** The ways to validate what was parsed: the service's, with the settings of a new supplier, and Ajv's. */
const validators = [
  { name: 'validation', validate: (payload: unknown): unknown => checkAccountPayload(payload, context) },
  { name: 'ajv', validate: (payload: unknown): unknown => ajv(payload) },
] as const

const manyItems = (amount: string): object => ({
  import_supplier: 'LEVANTE',
  external_account_number: 'LEV-1',
  unknown_occupier: true,
  ledgers: [
    {
      ledger_code: 'SPAIN_GAS_LEDGER',
      current_statement_transactions: Array.from({ length: 1000 }, (_, index) => ({
        transaction_id: `T-${String(index).padStart(6, '0')}`,
        transaction_date: '2025-04-15',
        amount,
        type: 'CREDIT',
        reason: 'IMPORTED_CREDIT',
        display_note: 'Abono por incidencia',
      })),
    },
  ],
})

/**
 * Accounts that are measured together: typical ones with their keys in the order of the tables, in alphabetical and in
 * mixed order, with an unknown field, and with phone numbers that are not remembered; and accounts at their worst. The
 * last two have the same size.
 */
const payloadSets = (): Readonly<Record<string, readonly unknown[]>> => {
  const typical = [...generateAccounts({ count: 200 })].map(({ payload }) => payload as object)
  const heavy = [...generateAccounts({ count: 15, profile: 'heavy' })].map(({ payload }) => payload)
  return {
    typical,
    'typical, keys from A to Z': typical.map((account) => inOrder(account, sorted)),
    'typical, keys shuffled': typical.map((account) => inOrder(account, shuffled(''))),
    'typical, one unknown field': typical.map((account) => ({ ...account, legacy_id: 'X1' })),
    [newNumbers]: typical,
    heavy,
    [manyValid]: [manyItems('12.50')],
    [manyWrong]: [manyItems('12,50')],
  }
}
const newNumbers = 'typical, new phone numbers'
const manyValid = '1 000 items, valid'
const manyWrong = '1 000 items, each wrong'

let numbers = 0

/** The account with phone numbers that were not seen before: the last digits are counted up. */
const withOtherNumbers = (text: string): string =>
  text.replaceAll(
    /("(?:mobile|landline)":"[^"]*)\d{6}"/g,
    (_, start: string) => `${start}${String(numbers++ % 1_000_000).padStart(6, '0')}"`,
  )

const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Milliseconds of one round: of `JSON.parse`, which starts from a string, and of each validator, which starts from what it made of it. */
const round = (texts: readonly string[], turn: number): readonly number[] => {
  let payloads: unknown[] = []
  const parse = timed(() => {
    payloads = texts.map((text) => JSON.parse(text) as unknown)
  })
  const times = validators.map(() => 0)
  // The first validate finds other things in the caches than the later ones, so each is first in turn.
  for (const offset of validators.keys()) {
    const at = (offset + turn) % validators.length
    times[at] = timed(() => {
      for (const payload of payloads) validators[at]?.validate(payload)
    })
  }
  return [parse, ...times]
}

type Cost = Readonly<{ name: string; microseconds: number }>

/** Microseconds for one account of a set: the medians of the rounds. */
type SetCosts = Readonly<{ set: string; kilobytes: number; parse: Cost; validators: readonly Cost[] }>

/** Parses and validates the accounts over and over for so many milliseconds, after a tenth as long to warm up. */
const costsOf = (set: string, payloads: readonly unknown[], milliseconds: number): SetCosts => {
  const texts = payloads.map((payload) => JSON.stringify(payload))
  const rounds: (readonly number[])[] = []
  const start = performance.now()
  for (let turn = 0; performance.now() - start < milliseconds * 1.1 || rounds.length < 3; turn++) {
    const measured = round(set === newNumbers ? texts.map(withOtherNumbers) : texts, turn)
    if (performance.now() - start > milliseconds * 0.1) rounds.push(measured)
  }
  const cost = (name: string, place: number): Cost => {
    const middle = median(rounds.map((times) => times[place] ?? Number.NaN))
    return { name, microseconds: (middle * 1000) / texts.length }
  }
  return {
    set,
    kilobytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length / 1000,
    parse: cost('JSON.parse', 0),
    validators: validators.map(({ name }, at) => cost(name, at + 1)),
  }
}

const heads = ['accounts', 'KB', 'what', 'µs', 'accounts/s', 'to JSON.parse', 'of ajv']

const rowsOf = ({ set, kilobytes, parse, validators: costs }: SetCosts): readonly (readonly string[])[] =>
  [parse, ...costs].map(({ name, microseconds }) => [
    set,
    kilobytes.toFixed(1),
    name,
    microseconds.toFixed(1),
    (1_000_000 / microseconds).toFixed(0),
    (microseconds / parse.microseconds).toFixed(2),
    ((costs.at(-1)?.microseconds ?? Number.NaN) / microseconds).toFixed(2),
  ])

const validationText = (sets: readonly SetCosts[]): string => {
  const ours = (name: string): number =>
    sets.find(({ set }) => set === name)?.validators[0]?.microseconds ?? Number.NaN
  return [
    markdownTable([heads, ...sets.flatMap(rowsOf)], 1),
    '',
    'µs: for one account, the median of the rounds. JSON.parse starts from a string, the others from what it gives.',
    'of ajv: accounts per second, beside those of ajv, which validates the fields alone.',
    `A thousand errors take ${(ours(manyWrong) / ours(manyValid)).toFixed(2)} times as long as the same account without errors.`,
  ].join('\n')
}

/** Measures validation in this process, so many seconds for each set, and prints what was found; no server takes part. */
export const runValidation = async ({ seconds }: Readonly<{ seconds: number }>): Promise<void> => {
  const sets = Object.entries(payloadSets()).map(([set, payloads]) => {
    console.error(`validation, ${set}`)
    return costsOf(set, payloads, seconds * 1000)
  })
  console.log(validationText(sets))
}
