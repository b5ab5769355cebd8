import type { AccountPayload } from '@account-import/core'
import type { Address } from '../places/address.js'
import type { Random } from '../random/random.js'

/** The recipient and the address of bills. */
export const billingBlockOf = (
  random: Random,
  name: string,
  { line, town, supplyAddress }: Address,
): Partial<AccountPayload> => ({
  billing_name: name,
  billing_address1: line,
  ...(random.chance(0.1) && { billing_address2: 'Apartado de correos 12' }),
  billing_address4: town.locality,
  billing_address5: town.area,
  ...(supplyAddress.postal_code !== undefined && { billing_postcode: supplyAddress.postal_code }),
})
