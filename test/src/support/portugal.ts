import { below, changeableWarning, isRead, itemsOf, marketPack } from '@account-import/core/markets'

/** A market pack as an embedding team writes it, outside of the packages: postal codes of Portugal. */
export const portugal = marketPack({
  market: 'PT',
  codes: {
    invalid_portuguese_postcode: changeableWarning(
      'A Portuguese postal code has four digits, a hyphen and three digits. Correct it.',
    ),
  },
  guides: {
    invalid_portuguese_postcode: {
      means: 'The postal code of an address in Portugal has another form than 1000-001.',
      causes: ['The last three digits are missing, as in data from before 1998.'],
      fix: ['Complete the postal code from the address.'],
      at: ['supply_addresses.N.supply_address.postal_code'],
      example: {
        in: 'supply_addresses.0',
        bad: { supply_address: { postal_code: '1000', country: 'PT' } },
        good: { supply_address: { postal_code: '1000-001', country: 'PT' } },
      },
      related: ['invalid_choice'],
    },
  },
  rules: [
    ({ supply_addresses }, report) => {
      itemsOf(supply_addresses).forEach((entry, index) => {
        const address = isRead(entry) ? entry.supply_address : undefined
        if (!isRead(address) || address.country !== 'PT' || !isRead(address.postal_code)) return
        const at = below(below(below(undefined, 'supply_addresses'), index), 'supply_address')
        if (!/^\d{4}-\d{3}$/.test(address.postal_code))
          report.add('invalid_portuguese_postcode', at, 'postal_code')
      })
    },
  ],
})
