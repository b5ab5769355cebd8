import { dateOf, lastDayOf, monthText } from '../calendar.js'
import type { Random } from '../random/random.js'
import type { Agreement } from '../supply/agreements.js'
import type { Bill } from '../bill.js'
import { euros } from './money.js'
import type { Posting } from './posting.js'

/** The tariff that holds on a day: that of the last agreement which began by then. */
const tariffOn = ([first, ...later]: readonly [Agreement, ...Agreement[]], date: string): string =>
  later.reduce(
    (code, agreement) => (agreement.effective_from <= date ? agreement.tariff_code : code),
    first.tariff_code,
  )

/** The charge of a bill, on the last day of its month. */
export const charge = (bill: Bill, agreements: readonly [Agreement, ...Agreement[]]): Posting => {
  const day = lastDayOf(bill.month)
  return {
    day,
    effect: -bill.cents,
    transaction: {
      transaction_date: dateOf(day),
      amount: euros(bill.cents),
      type: 'SUPPLY_CHARGE',
      product_code: tariffOn(agreements, dateOf(day)),
      line_items: bill.lines,
      tax_items: bill.taxes,
    },
  }
}

/** The payment of a bill, within the month after it. */
export const payment = (random: Random, bill: Bill, prefix: string): Posting => {
  const day = lastDayOf(bill.month) + random.between(5, 20)
  const [kind, payment_type] = random.chance(0.85)
    ? (['DD', 'DD_REGULAR_COLLECTION'] as const)
    : (['CARD', 'CREDIT_CARD'] as const)
  return {
    day,
    effect: bill.cents,
    transaction: {
      transaction_date: dateOf(day),
      amount: random.chance(0.2) ? (bill.cents / 100).toFixed(2) : euros(bill.cents),
      type: 'PAYMENT',
      reason: 'ACCOUNT_CHARGE_PAYMENT',
      reference: `${kind}-${monthText(bill.month)}-${prefix}`,
      payment_type,
    },
  }
}
