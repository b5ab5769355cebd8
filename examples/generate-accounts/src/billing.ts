import type { AccountPayload } from '@account-import/core'
import { dateOf, firstDayOf, lastDayOf, monthText } from './calendar.js'
import { between, chance, digits } from './random.js'
import type { Agreement, Contract } from './supply.js'

type Ledger = NonNullable<AccountPayload['ledgers']>[number]
type Transaction = NonNullable<Ledger['current_statement_transactions']>[number]
type Fields = Omit<Transaction, 'transaction_id' | 'transaction_date' | 'amount'>

/** One month of supply as it was billed; `cents` is the sum of its line and tax items. */
export type Bill = Readonly<{ month: number; kwh: number; cents: number; charge: Omit<Fields, 'type'> }>

/** A transaction on a day; `effect` is its change of the balance, in cents. */
type Posting = Readonly<{ day: number; effect: number; fields: Fields }>

const ELECTRICITY_TAX = 0.0511269632
const HYDROCARBON_TAX_PER_KWH = 0.00234

/** One bill for each month of the contract; the register of the meter goes on from bill to bill. Prices in millionths of a euro. */
export const billsOf = ({ fuel, isLarge, months }: Contract): readonly Bill[] => {
  const isGas = fuel === 'GAS'
  const standing = between(2000, 6500) * (isLarge ? 900 : 100)
  const price = isGas ? between(52_000, 84_000) : between(150_000, 210_000)
  const average = between(110, 390) * (isLarge ? 14 : 1)
  let register = between(1000, 90_000)
  return months.map((month) => {
    const kwh = Math.round((average * between(60, 160)) / 100)
    const units = [register, (register += kwh)] as const
    const [from, to] = [firstDayOf(month), lastDayOf(month)]
    const [energy, fixed] = [kwh * price, (to - from + 1) * standing].map((cost) =>
      Math.round(cost / 10_000),
    ) as [number, number]
    const net = energy + fixed
    const special = Math.round(isGas ? kwh * HYDROCARBON_TAX_PER_KWH * 100 : net * ELECTRICITY_TAX)
    const vat = Math.round(((net + special) * 21) / 100)
    const line = (rate_band: string, number_of_units: number, cents: number, millionths: number) => ({
      rate_band,
      start_date: dateOf(from),
      end_date: dateOf(to),
      number_of_units,
      net_amount: cents / 100,
      price_per_unit: millionths / 1_000_000,
    })
    const tax = (
      tax_type: string,
      cents: number,
      value_taxed: number,
      rate: number,
      unit_type = 'PROPORTION',
    ) => ({
      amount: cents / 100,
      tax_type,
      value_taxed,
      rate,
      unit_type,
    })
    const charge = {
      line_items: [
        { ...line('CONSUMPTION_STANDARD', kwh, energy, price), units },
        line('STANDING_CHARGE', to - from + 1, fixed, standing),
      ],
      tax_items: [
        isGas
          ? tax('HYDROCARBON_TAX', special, kwh, HYDROCARBON_TAX_PER_KWH, 'CURRENCY_PER_KWH')
          : tax('ELECTRICITY_TAX', special, net / 100, ELECTRICITY_TAX),
        tax('VAT', vat, (net + special) / 100, 0.21),
      ],
    }
    return { month, kwh, cents: net + special + vat, charge }
  })
}

/** The charge of a bill on the last day of its month, with the tariff of that day, and its payment in the month after it. */
const postingsOf = (
  { month, cents, charge }: Bill,
  agreements: readonly Agreement[],
  prefix: string,
): readonly Posting[] => {
  const day = lastDayOf(month)
  const agreement = agreements.findLast(({ effective_from }) => effective_from <= dateOf(day))
  const reference = `DD-${monthText(month)}-${prefix}`
  const payment = { reason: 'ACCOUNT_CHARGE_PAYMENT', reference, payment_type: 'DD_REGULAR_COLLECTION' }
  return [
    {
      day,
      effect: -cents,
      fields: { type: 'SUPPLY_CHARGE', product_code: agreement?.tariff_code ?? '', ...charge },
    },
    { day: day + between(5, 20), effect: cents, fields: { type: 'PAYMENT', ...payment } },
  ]
}

/** Some accounts have a credit and a refund, on the days around the closing date. */
const adjustmentsOf = (closing: number): readonly Posting[] => {
  const around = (effect: number, fields: Fields) => ({ day: closing + between(-27, 25), effect, fields })
  const refund = {
    reason: 'FULL_CREDIT_REFUND',
    reference: `REF-${digits(8)}`,
    payment_type: 'DIRECT_CREDIT',
  }
  const credit = { reason: 'GENERAL_CREDIT', display_note: 'Promoción de bienvenida', note: 'Por teléfono' }
  return [
    ...(chance(0.4) ? [around(between(2, 60) * 50, { type: 'CREDIT', ...credit })] : []),
    ...(chance(0.1) ? [around(-between(100, 4000), { type: 'REPAYMENT', ...refund })] : []),
  ]
}

/** Cents as euros. Some systems write an amount as text. */
const amount = (cents: number): number | string => (chance(0.1) ? (cents / 100).toFixed(2) : cents / 100)

/**
 * The ledger of a contract from its first bill on. Postings up to the last closing date are historical; both balances are exactly the
 * sums of their transactions. `prefix` begins transaction ids and payment references.
 */
export const ledgerOf = (
  { months }: Contract,
  bills: readonly Bill[],
  agreements: readonly Agreement[],
  { ledger_code, prefix }: Readonly<{ ledger_code: string; prefix: string }>,
): Ledger => {
  const closing = lastDayOf(months.at(-1) ?? 0)
  const postings = [
    ...bills.flatMap((bill) => postingsOf(bill, agreements, prefix)),
    ...adjustmentsOf(closing),
  ]
  const inOrder = postings.sort((left, right) => left.day - right.day)
  const closed = inOrder.filter(({ day }) => day <= closing).length
  const transactions = inOrder.map(({ day, effect, fields }, at) => ({
    transaction_id: `${prefix}-T${String(at + 1).padStart(4, '0')}`,
    transaction_date: dateOf(day),
    amount: amount(Math.abs(effect)),
    ...fields,
  }))
  const balanceAfter = (count: number) =>
    amount(inOrder.slice(0, count).reduce((sum, { effect }) => sum + effect, 0))
  return {
    ledger_code,
    last_statement_balance: balanceAfter(closed),
    last_statement_closing_date: dateOf(closing),
    ledger_balance: balanceAfter(inOrder.length),
    current_statement_transactions: transactions.slice(closed),
    historical_statement_transactions: transactions.slice(0, closed),
  }
}
