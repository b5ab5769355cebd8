import * as t from 'io-ts'

/** A number as it was sent. */
const sentNumber = t.union([t.number, t.string])

const lineItem = t.intersection([
  t.type({ start_date: t.string, end_date: t.string, number_of_units: sentNumber, net_amount: sentNumber }),
  t.partial({ rate_band: t.string, price_per_unit: sentNumber, units: t.readonlyArray(sentNumber) }),
])

const taxItem = t.type({
  amount: sentNumber,
  tax_type: t.string,
  value_taxed: sentNumber,
  rate: sentNumber,
  unit_type: t.string,
})

/**
 * The echo of a transaction: `amount` as text with two places, dates `YYYY-MM-DD`. Where the date was moved into the
 * open statement period, that date, and the display note that says so.
 */
export const transactionData = t.intersection(
  [
    t.type({ transaction_id: t.string, transaction_date: t.string, amount: t.string, type: t.string }),
    t.partial({
      reason: t.string,
      reference: t.string,
      payment_type: t.string,
      display_note: t.string,
      note: t.string,
      product_code: t.string,
      line_items: t.readonlyArray(lineItem),
      tax_items: t.readonlyArray(taxItem),
      ledger_code: t.string,
    }),
  ],
  'TransactionData',
)
