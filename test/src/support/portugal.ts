import { below, changeableWarning, isRead, itemsOf, marketPack } from '@account-import/core/markets'

/** A market pack as an embedding team writes it, outside of the packages: postal codes of Portugal. */
export const portugal = marketPack({
  market: 'PT',
  codes: {
    invalid_portuguese_postcode: changeableWarning(
      'A Portuguese postal code has four digits, a hyphen and three digits. Correct it.',
    ),
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
