import { supplyPointKey } from '@account-import/core/payloads'
import type { DateCount, LineFacts, Places, SignedCount, Sums } from '../outcomes/batch.js'

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

/** The longest text that is compared: valid values are shorter. */
const longestCompared = 255

const comparedTexts = (payload: unknown, at: number): readonly string[] => {
  const compared = differingFields[at]?.[1] ?? String
  const texts = textsAt(payload, valueSteps[at] ?? []).filter(({ length }) => length <= longestCompared)
  return [...new Set(texts.map((text) => compared(text)))]
}

/** The supply points of an account in their compared form, each once. */
export const supplyPoints = (payload: unknown): readonly string[] =>
  comparedTexts(payload, differingFields.length - 1)

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

const placesOf = (isThere: boolean, line: number): Places =>
  isThere ? { accounts: 1, lines: [line] } : { accounts: 0, lines: [] }

/** `isPast`: whether a date in the future is a fault. `today`: YYYY-MM-DD. */
const datesAt = (
  payload: unknown,
  steps: readonly string[],
  isPast: boolean,
  { line, today }: Readonly<{ line: number; today: string }>,
): DateCount => {
  let [isGiven, isFuture, isEarly] = [false, false, false]
  visit(payload, steps, (found) => {
    if (typeof found !== 'string' || !isDate(found)) return
    isGiven = true
    if (found < earliest) isEarly = true
    // A datetime of today is greater than the text of the day.
    else if (isPast && found > today && !found.startsWith(today)) isFuture = true
  })
  return { accounts: Number(isGiven), future: placesOf(isFuture, line), early: placesOf(isEarly, line) }
}

/** All facts of the account on a line, also of an invalid one. `today`: YYYY-MM-DD. */
export const lineFacts = (
  payload: unknown,
  place: Readonly<{ line: number; today: string }>,
): Required<LineFacts> => {
  const signs = signsOf(payload)
  const debts = signs.filter((sign) => sign < 0).length
  return {
    points: supplyPoints(payload),
    values: differingFields.map((_, at) => comparedTexts(payload, at)),
    sums: {
      debts,
      credits: signs.length - debts,
      accounts: 1,
      pointless: placesOf(textsAt(payload, pointSteps).length === 0, place.line),
      signed: signedOf(payload),
      dates: datedFields.map(([, isPast], at) => datesAt(payload, dateSteps[at] ?? [], isPast, place)),
    },
  }
}

export const noSums = (): Sums => ({
  debts: 0,
  credits: 0,
  accounts: 0,
  pointless: placesOf(false, 0),
  signed: signedTypes.map(() => ({ all: 0, negative: 0, cents: 0n })),
  dates: datedFields.map(() => ({ accounts: 0, future: placesOf(false, 0), early: placesOf(false, 0) })),
})

/** The most lines that are listed for a fault. */
export const lineLimit = 5

const addPlaces = (into: Places, { accounts, lines }: Readonly<Places>): void => {
  into.accounts += accounts
  into.lines.push(...lines.slice(0, lineLimit - into.lines.length))
}

/** Requires sums in the order of the file. */
export const addSums = (into: Sums, sums: Readonly<Sums>): void => {
  into.debts += sums.debts
  into.credits += sums.credits
  into.accounts += sums.accounts
  addPlaces(into.pointless, sums.pointless)
  into.signed.forEach((count, at) => {
    count.all += sums.signed[at]?.all ?? 0
    count.negative += sums.signed[at]?.negative ?? 0
    count.cents += sums.signed[at]?.cents ?? 0n
  })
  into.dates.forEach((count, at) => {
    const added = sums.dates[at]
    if (added === undefined) return
    count.accounts += added.accounts
    addPlaces(count.future, added.future)
    addPlaces(count.early, added.early)
  })
}
