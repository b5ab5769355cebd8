import type { Fuel } from '../supply/contract.js'
import type { TaxItem } from '../bill.js'
import { euros } from './money.js'

/** Tax items with the sum of their amounts. */
export type Taxes = Readonly<{ taxes: readonly TaxItem[]; cents: number }>

const ELECTRICITY_TAX = 0.0511269632
const HYDROCARBON_TAX_PER_KWH = 0.00234
const VAT = 0.21

const specialTax = (
  fuel: Fuel,
  netCents: number,
  kwh: number,
): Readonly<{ item: TaxItem; cents: number }> => {
  const isGas = fuel === 'GAS'
  const cents = Math.round(isGas ? kwh * HYDROCARBON_TAX_PER_KWH * 100 : netCents * ELECTRICITY_TAX)
  return {
    item: {
      amount: euros(cents),
      tax_type: isGas ? 'HYDROCARBON_TAX' : 'ELECTRICITY_TAX',
      value_taxed: isGas ? kwh : euros(netCents),
      rate: isGas ? HYDROCARBON_TAX_PER_KWH : ELECTRICITY_TAX,
      unit_type: isGas ? 'CURRENCY_PER_KWH' : 'PROPORTION',
    },
    cents,
  }
}

/** The special tax of the supply, and VAT on both net amounts and special tax. */
export const taxesOf = (fuel: Fuel, netCents: number, kwh: number): Taxes => {
  const special = specialTax(fuel, netCents, kwh)
  const taxed = netCents + special.cents
  const vat = Math.round((taxed * 21) / 100)
  return {
    taxes: [
      special.item,
      { amount: euros(vat), tax_type: 'VAT', value_taxed: euros(taxed), rate: VAT, unit_type: 'PROPORTION' },
    ],
    cents: special.cents + vat,
  }
}
