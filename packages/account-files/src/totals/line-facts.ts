import { supplyPointKey } from '@account-import/core/payloads'
import type { LineFacts, SignedCount } from '../outcomes/batch.js'
import { keyHash } from './repeated-keys.js'

/** Fields with a different value in each account, and the normal form for their comparison. */
export const differingFields = [
  ['customers[].email', (text) => text.trim().toLowerCase()],
  ['customers[].mobile', (text) => text.replaceAll(/\D/g, '')],
  ['customers[].landline', (text) => text.replaceAll(/\D/g, '')],
  ['supply_addresses[].supply_points[].identifier', supplyPointKey],
] as const satisfies readonly (readonly [field: string, compared: (text: string) => string])[]

const transactionDates = ['current', 'historical'].map((period): readonly [string, boolean] => [
  `ledgers[].${period}_statement_transactions[].transaction_date`,
  true,
])

/** The checked dates, and whether a date in the future is a fault: agreements and tariffs may begin later. */
export const datedFields: readonly (readonly [field: string, isPast: boolean])[] = [
  ['supply_addresses[].customer_at_supply_address_from_date', true],
  ['supply_addresses[].supply_points[].supply_start_date', true],
  ['supply_addresses[].supply_points[].last_billed_to_date', true],
  ['supply_addresses[].supply_points[].atr_tariffs[].valid_from', false],
  ['supply_addresses[].supply_points[].agreements[].effective_from', false],
  ['supply_addresses[].supply_points[].readings[].interval_start', true],
  ['ledgers[].last_statement_closing_date', true],
  ...transactionDates,
  ['statements[].bill_period_to_date', true],
  ['notes[].created_at', true],
]

/** Earlier dates are most likely default values, or have the wrong century. */
const earliest = '1990-01-01'

const stepsOf = (field: string): readonly string[] => field.replaceAll('[]', '').split('.')

const valueSteps = differingFields.map(([field]) => stepsOf(field))
const dateSteps = datedFields.map(([field]) => stepsOf(field))

const pointSteps = stepsOf('supply_addresses[].supply_points[].identifier')

/** Calls `take` for each value at the path, in all items of lists; skips values of another shape. */
const visit = (value: unknown, steps: readonly string[], take: (found: unknown) => void, at = 0): void => {
  const step = steps[at]
  if (Array.isArray(value)) for (const item of value) visit(item, steps, take, at)
  else if (step === undefined) take(value)
  else if (typeof value === 'object' && value !== null)
    visit((value as Readonly<Record<string, unknown>>)[step], steps, take, at + 1)
}

const textsAt = (payload: unknown, steps: readonly string[]): readonly string[] => {
  const texts: string[] = []
  visit(payload, steps, (found) => typeof found === 'string' && texts.push(found))
  return texts
}

/** FNV-1a. Collisions are harmless, as the hash only serves for counts of frequent values. */
const smallHash = (text: string): number => {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  return hash >>> 0
}

const comparedTexts = (payload: unknown, at: number): readonly string[] => {
  const compared = differingFields[at]?.[1] ?? String
  return textsAt(payload, valueSteps[at] ?? []).map((text) => compared(text))
}

/** The supply points of an account as hashes of supplier and identifier. */
export const supplyPointHashes = (payload: unknown, importSupplier: string | undefined): readonly number[] =>
  importSupplier === undefined
    ? []
    : comparedTexts(payload, differingFields.length - 1).flatMap((text) => keyHash([importSupplier, text]))

/** -1 or 1 for each ledger with a balance other than zero: the present one, or without it that of the last bill. */
const signsOf = (payload: unknown): readonly number[] => {
  const signs: number[] = []
  visit(payload, ['ledgers'], (found) => {
    if (typeof found !== 'object' || found === null) return
    const { ledger_balance, last_statement_balance } = found as Readonly<Record<string, unknown>>
    const balance = ledger_balance ?? last_statement_balance
    if (typeof balance === 'string' || typeof balance === 'number') signs.push(Math.sign(Number(balance)))
  })
  return signs.filter((sign) => sign === 1 || sign === -1)
}

/** Types of transactions whose amounts are mostly above zero, and the check that counts the others. */
export const signedTypes = [
  ['CREDIT', 'negative_credits'],
  ['CHARGE', 'negative_charges'],
] as const

/** An amount in hundredths, rounded. */
const centsOf = (amount: unknown): bigint => {
  const value =
    typeof amount === 'string' || typeof amount === 'number' ? Math.round(Number(amount) * 100) : 0
  return Number.isFinite(value) ? BigInt(value) : 0n
}

const signedOf = (payload: unknown): readonly SignedCount[] => {
  const counts = signedTypes.map(() => ({ all: 0, negative: 0, cents: 0n }))
  for (const list of ['current_statement_transactions', 'historical_statement_transactions'])
    visit(payload, ['ledgers', list], (found) => {
      if (typeof found !== 'object' || found === null) return
      const { type, amount } = found as Readonly<Record<string, unknown>>
      const count = counts[signedTypes.findIndex(([name]) => name === type)]
      if (count === undefined) return
      const cents = centsOf(amount)
      count.all += 1
      if (cents >= 0n) return
      count.negative += 1
      count.cents += cents
    })
  return counts
}

const hyphen = 0x2d

/** Whether a text has the form of a date or datetime. Validation checks that the day exists. */
const isDate = (text: string): boolean => text.charCodeAt(4) === hyphen && text.charCodeAt(7) === hyphen

const datesAt = (payload: unknown, steps: readonly string[], isPast: boolean, today: string) => {
  const dates = { given: false, future: false, early: false }
  visit(payload, steps, (found) => {
    if (typeof found !== 'string' || !isDate(found)) return
    dates.given = true
    if (found < earliest) dates.early = true
    // A datetime of today is greater than the text of the day.
    else if (isPast && found > today && !found.startsWith(today)) dates.future = true
  })
  return dates
}

/** All facts of an account, also of an invalid one. `today`: YYYY-MM-DD. */
export const lineFacts = (payload: unknown, importSupplier: string | undefined, today: string): LineFacts => {
  const signs = signsOf(payload)
  const debts = signs.filter((sign) => sign < 0).length
  return {
    points: supplyPointHashes(payload, importSupplier),
    values: differingFields.map((_, at) => new Set(comparedTexts(payload, at).map(smallHash))),
    debts,
    credits: signs.length - debts,
    hasPoint: textsAt(payload, pointSteps).length > 0,
    signed: signedOf(payload),
    dates: datedFields.map(([, isPast], at) => datesAt(payload, dateSteps[at] ?? [], isPast, today)),
  }
}
