import type { TypeOf } from 'io-ts'
import type { ErrorCode } from '../catalogue/index.js'
import type { lineItem } from '../payloads/ledger.js'
import type { billableItem } from '../payloads/supply.js'
import { DecimalSum } from '../values/decimal.js'
import { isRead, type ObjectRule, type Readable } from './rule.js'

/** Decimals of a quantity, and of the product of a quantity and a price. */
const QUANTITY = 4
const PRODUCT = 11

type Item = Pick<
  Readable<TypeOf<typeof billableItem> | TypeOf<typeof lineItem>>,
  'net_amount' | 'number_of_units' | 'price_per_unit'
>

/** Whether all three are given, and the net amount differs from units × price by 0.01 or more. */
const netAmountDiffers = (item: Item): boolean => {
  const { net_amount, number_of_units, price_per_unit } = item
  if (!isRead(net_amount) || !isRead(number_of_units) || !isRead(price_per_unit)) return false
  const difference = new DecimalSum(PRODUCT)
  difference.add(net_amount)
  difference.subtractProduct(number_of_units, price_per_unit, QUANTITY)
  return difference.isCentOrMore
}

/** The net amount of an item is units × price, if both are given. */
export const netAmount =
  (code: ErrorCode): ObjectRule<Item> =>
  (item, at, findings) => {
    if (netAmountDiffers(item)) findings.add(code, at, 'net_amount')
  }
