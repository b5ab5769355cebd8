import test from 'ava'
import { fc, runs } from '../support/properties.js'
import { ledger, line, point, transaction, withCurrent, withItem, withLedgers } from './parts.js'
import { validate } from './support.js'

/** A decimal as whole units of 10^-decimals, and as it may be sent. */
type Amount = Readonly<{ units: bigint; sent: number | string }>

const textOf = (units: bigint, decimals: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Decimals up to the most digits, often with few; as numbers where these keep them. */
const decimal = (whole: number, decimals: number): fc.Arbitrary<Amount> => {
  const largest = 10n ** BigInt(whole + decimals) - 1n
  const few = 10n ** BigInt(Math.min(whole, 4) + decimals)
  return fc
    .tuple(fc.oneof(fc.bigInt(-largest, largest), fc.bigInt(-few, few)), fc.boolean())
    .map(([units, asNumber]) => {
      const text = textOf(units, decimals)
      const digits = text.replace(/^-?0*\.?0*|\./g, '').length
      const number = Number(text)
      const isKept = digits <= 15 && !String(number).includes('e')
      return { units, sent: asNumber && isKept ? number : text }
    })
}

const money = decimal(10, 2)
const figure = decimal(10, 10)
const cent = (decimals: number): bigint => 10n ** BigInt(decimals - 2)
const isCentOrMore = (difference: bigint, decimals: number): boolean =>
  difference >= cent(decimals) || -difference >= cent(decimals)

const fires = (fields: object, path: string, code: string): boolean =>
  validate(fields).warnings.includes(`${path} ${code}`)

test('a product is checked by its exact value, whatever its digits', (t) => {
  const off = fc.oneof(fc.bigInt(-2n, 2n), fc.constantFrom(cent(10), -cent(10), cent(10) - 1n, 1n - cent(10)))
  fc.assert(
    fc.property(decimal(12, 4), decimal(8, 7), off, (units, price, by) => {
      const product = units.units * price.units
      const net = product / 10n + by
      fc.pre(net < 10n ** 20n && -net < 10n ** 20n)
      const fields = withItem({
        net_amount: textOf(net, 10),
        number_of_units: units.sent,
        price_per_unit: price.sent,
      })
      const fired = fires(
        fields,
        `${point}.billable_items.0.net_amount`,
        'incorrect_billable_item_net_amount',
      )
      return fired === isCentOrMore(net * 10n - product, 11)
    }),
    { numRuns: runs(3000) },
  )
  t.pass()
})

test('a sum of items and taxes is checked by its exact value', (t) => {
  const off = fc.constantFrom(0n, cent(10), -cent(10), cent(10) - 1n, 1n - cent(10))
  fc.assert(
    fc.property(money, fc.array(figure, { maxLength: 4 }), off, (amount, items, by) => {
      const due = amount.units * 10n ** 8n - items.reduce((sum, { units }) => sum + units, 0n) + by
      fc.pre(due < 10n ** 20n && -due < 10n ** 20n)
      const lines = [...items.map(({ sent }) => sent), textOf(due, 10)]
      const fields = withCurrent(
        transaction({ amount: amount.sent, line_items: lines.map((net_amount) => line({ net_amount })) }),
      )
      const code = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount'
      return fires(fields, 'ledgers.0.current_statement_transactions.0.amount', code) === isCentOrMore(by, 10)
    }),
    { numRuns: runs(2000) },
  )
  t.pass()
})

test('balances are compared exactly, also where a sum is larger than the safe integers', (t) => {
  const types = ['PAYMENT', 'CREDIT', 'CHARGE', 'REPAYMENT'] as const
  const entries = fc.array(fc.tuple(money, fc.constantFrom(...types)), { maxLength: 30 })
  fc.assert(
    fc.property(money, entries, fc.bigInt(-1n, 1n), (last, effects, by) => {
      const raises = (type: string): boolean => type === 'PAYMENT' || type === 'CREDIT'
      const sum = effects.reduce(
        (total, [{ units }, type]) => total + (raises(type) ? units : -units),
        last.units,
      )
      fc.pre(sum + by < 10n ** 12n && -sum - by < 10n ** 12n)
      const fields = withLedgers(
        ledger({
          last_statement_balance: last.sent,
          ledger_balance: textOf(sum + by, 2),
          current_statement_transactions: effects.map(([{ sent }, type]) =>
            transaction({ amount: sent, type, reason: 'R' }),
          ),
        }),
      )
      return fires(fields, 'ledgers.0.ledger_balance', 'balance_mismatch_on_ledger_balance') === (by !== 0n)
    }),
    { numRuns: runs(1000) },
  )
  t.pass()
})
