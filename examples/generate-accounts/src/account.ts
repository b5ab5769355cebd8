import type { AccountPayload } from '@account-import/core'
import { billsOf, ledgerOf } from './billing.js'
import { dateOf, firstDayOf, lastDayOf, monthText } from './calendar.js'
import type { Profile } from './command-line.js'
import { legacyOf, notesOf, paymentSchedulesOf } from './extras.js'
import { cupsOf } from './identifiers.js'
import { company, household, somePlace } from './parties.js'
import { between, chance, faker, pick } from './random.js'
import { agreementsOf, supplyPointOf, type Contract } from './supply.js'

/** The type of an account, and the supply of each of its points. */
type Kind = Readonly<{
  type: NonNullable<AccountPayload['account_type']>
  fuels: readonly Contract['fuel'][]
}>

const typical: readonly Readonly<{ weight: number; value: Kind }>[] = [
  { weight: 46, value: { type: 'DOMESTIC', fuels: ['ELECTRICITY'] } },
  { weight: 18, value: { type: 'DOMESTIC', fuels: ['GAS'] } },
  { weight: 20, value: { type: 'DOMESTIC', fuels: ['ELECTRICITY', 'GAS'] } },
  { weight: 12, value: { type: 'BUSINESS', fuels: ['ELECTRICITY'] } },
  { weight: 4, value: { type: 'DOMESTIC_OCCUPIER', fuels: ['ELECTRICITY'] } },
]

const kindOf = (profile: Profile): Kind => {
  if (profile === 'heavy') return { type: 'BUSINESS', fuels: ['ELECTRICITY', 'ELECTRICITY', 'GAS'] }
  const { type, fuels } = faker.helpers.weightedArrayElement(typical)
  return { type, fuels: profile === 'small' ? fuels.slice(0, 1) : fuels }
}

/** The billed months, the last one before 2025-09. Most suppliers export some months; few accounts have years. */
const monthsOf = (profile: Profile, points: number): readonly number[] => {
  const [shortest, longest] = faker.helpers.weightedArrayElement([
    { weight: 44, value: [1, 3] as const },
    { weight: 36, value: [3, 5] as const },
    { weight: 15, value: [6, 10] as const },
    { weight: 5, value: [11, 24] as const },
  ])
  const count = { small: 1, typical: Math.ceil(between(shortest, longest) / points), heavy: between(26, 28) }[
    profile
  ]
  const last = pick([664, 665, 666])
  return Array.from({ length: count }, (_, at) => last - count + 1 + at)
}

/** A supply point, its ledger and its statements. A second point of the same supply has a ledger of its own. */
const supplyOf = (contract: Contract, number: string, at: number) => {
  const { fuel, months } = contract
  const label = `${fuel.charAt(0)}${at + 1}`
  const [agreements, bills] = [agreementsOf(contract), billsOf(contract)]
  const codes = {
    ledger_code: `SPAIN_${fuel}_LEDGER${fuel === 'ELECTRICITY' && at > 0 ? '_2' : ''}`,
    prefix: `${number}-${label}`,
  }
  return {
    point: supplyPointOf(contract, agreements, bills),
    ledger: ledgerOf(contract, bills, agreements, codes),
    statements: months.map((month) => ({
      bill_period_from_date: dateOf(firstDayOf(month)),
      bill_period_to_date: dateOf(lastDayOf(month)),
      statement_path: `statements/${number}/${label}-${monthText(month)}.pdf`,
      statement_id: `${number}-${label}-F-${monthText(month)}`,
      supply_type: fuel,
    })),
  }
}

/** A valid account. The ordinals of two accounts differ by at least 4. */
export const accountOf = (
  profile: Profile,
  { supplier, number, ordinal }: Readonly<{ supplier: string; number: string; ordinal: number }>,
): AccountPayload => {
  const { type, fuels } = kindOf(profile)
  const [isBusiness, isOccupied] = [type === 'BUSINESS', type !== 'DOMESTIC_OCCUPIER']
  const months = monthsOf(profile, fuels.length)
  const lastDay = lastDayOf(months.at(-1) ?? 0)
  // Households stay with a supplier for some years: the exported history is seldom complete.
  const startDay = firstDayOf(months[0] ?? 0) - (profile === 'small' || chance(0.15) ? 0 : between(30, 1900))
  const { address, billing, distributors } = somePlace()
  const customers = isBusiness ? company() : household()
  const supply = fuels.map((fuel, at) => {
    const distributor = distributors[fuel]
    const cups = cupsOf(distributor, ordinal + at) + (chance(0.3) ? pick(['0F', '1F', '1P']) : '')
    const isLarge = isBusiness && chance(0.5)
    return supplyOf({ fuel, isBusiness, isLarge, startDay, months, cups, distributor }, number, at)
  })
  return {
    import_supplier: supplier,
    external_account_number: number,
    account_type: type,
    ...(isOccupied && { customers }),
    supply_addresses: [
      {
        supply_address: address,
        customer_at_supply_address_from_date: dateOf(startDay),
        supply_points: supply.map(({ point }) => point),
      },
    ],
    notes: notesOf(number, profile === 'small' ? 1 : 4, startDay, lastDay),
    ledgers: supply.map(({ ledger }) => ledger),
    ...(isOccupied && { payment_schedules: paymentSchedulesOf(startDay, lastDay) }),
    statements: supply.flatMap(({ statements }) => statements),
    ...legacyOf(supplier, startDay),
    billing_name: isOccupied ? (customers[0]?.family_name ?? '') : 'Titular desconocido',
    ...billing,
    sales_channel: pick(['DIRECT', 'TELESALES', 'PRICE_COMPARISON', 'MOVE_IN', 'FIELD_SALES']),
    ...(chance(0.4) && { sales_subchannel: pick(['Oficina', 'Web', 'Feria']) }),
    unknown_occupier: !isOccupied,
    communication_preference: chance(0.8) ? 'ONLINE' : 'PRINT',
  }
}
