import type { AccountPayload } from '@account-import/core'
import type { Random } from '../random/random.js'
import { streetNames, streetTypes } from './streets.js'
import { towns, type Town } from './towns.js'

type SupplyAddress = NonNullable<AccountPayload['supply_addresses']>[number]['supply_address']

/** A place where energy is supplied; `line` is its street as written on an envelope. */
export type Address = Readonly<{ town: Town; line: string; supplyAddress: SupplyAddress }>

const flat = (random: Random): Readonly<Record<string, string>> => ({
  door: String(random.between(1, 8)),
  floor: String(random.between(1, 9)),
  ...(random.chance(0.15) && { stair: random.pick(['A', 'B', 'C']) }),
  ...(random.chance(0.05) && { block: String(random.between(1, 4)) }),
  ...(random.chance(0.08) && {
    address_extra_info: random.pick(['Entrada por el patio', 'Junto a la farmacia', 'Local a la izquierda']),
  }),
})

export const someAddress = (random: Random): Address => {
  const town = random.pick(towns)
  const [type, typeName] = random.pick(streetTypes)
  const name = random.pick(streetNames)
  const number = String(random.between(1, 180))
  const inside = random.chance(0.8) ? flat(random) : {}
  const doorText = inside['floor'] === undefined ? '' : `, ${inside['floor']}.º ${inside['door']}.ª`
  return {
    town,
    line: `${typeName} ${name} ${number}${doorText}`,
    supplyAddress: {
      locality: town.locality,
      administrative_area: town.area,
      postal_code: String(random.between(...town.postcodes)).padStart(5, '0'),
      country: 'ES',
      structured_street_address: { street_type: type, street_name: name, street_number: number, ...inside },
    },
  }
}
