import type { AccountPayload } from '@account-import/core'
import type { AccountPlan, Kind } from './account-plan.js'
import { billsOf } from './billing/bills.js'
import type { Ledger } from './bill.js'
import { ledgerOf, type LedgerPlan } from './billing/ledger.js'
import { statementsOf } from './billing/statements.js'
import { dateOf, lastDayOf } from './calendar.js'
import { billingBlockOf } from './extras/billing-block.js'
import { metadataOf, referencesOf } from './extras/legacy.js'
import { notesOf } from './extras/notes.js'
import { paymentSchedulesOf } from './extras/payment-schedules.js'
import { company, household, type Parties } from './people/customers.js'
import { someAddress, type Address } from './places/address.js'
import type { Random } from './random/random.js'
import { agreementsOf } from './supply/agreements.js'
import { contractOf, type Contract } from './supply/contract.js'
import { supplyPointOf } from './supply/supply-point.js'

export type AccountIdentity = Readonly<{ supplier: string; number: string; ordinal: number }>

/** The ordinals of an account's supply points are consecutive. */
const POINTS_PER_ACCOUNT = 4

const accountTypes = {
  electricity: 'DOMESTIC',
  gas: 'DOMESTIC',
  dual: 'DOMESTIC',
  business: 'BUSINESS',
  'unknown-occupier': 'DOMESTIC_OCCUPIER',
} as const satisfies Record<Kind, AccountPayload['account_type']>

const partiesOf = (random: Random, kind: Kind, prefix: string): Parties => {
  if (kind === 'unknown-occupier') return { customers: [], billingName: 'Titular desconocido' }
  return kind === 'business' ? company(random, prefix) : household(random, prefix)
}

const contractsOf = (
  random: Random,
  plan: AccountPlan,
  address: Address,
  ordinal: number,
): readonly Contract[] =>
  plan.fuels.map((fuel, at) =>
    contractOf(random, {
      ...plan,
      fuel,
      isBusiness: plan.kind === 'business',
      address,
      ordinal: ordinal * POINTS_PER_ACCOUNT + at,
      label: `${fuel.charAt(0)}${at + 1}`,
    }),
  )

/** One ledger for each supply; a second supply point of the same kind has a ledger of its own. */
const ledgerCodeOf = (fuels: readonly string[], at: number): string => {
  const fuel = fuels[at] ?? ''
  const isFirst = fuels.indexOf(fuel) === at
  return `SPAIN_${fuel}_LEDGER${isFirst ? '' : `_${at + 1}`}`
}

/** Supply points with the ledgers that their bills are posted to. */
const supplyOf = (random: Random, plan: AccountPlan, contracts: readonly Contract[], number: string) => {
  const lastDay = lastDayOf(plan.months.at(-1) ?? 0)
  return contracts.map((contract, at) => {
    const agreements = agreementsOf(random, contract, lastDay)
    const bills = billsOf(random, contract)
    const ledgerPlan: LedgerPlan = {
      contract,
      agreements,
      bills,
      ledgerCode: ledgerCodeOf(plan.fuels, at),
      prefix: `${number}-${contract.label}`,
    }
    const ledger: Ledger = ledgerOf(random, ledgerPlan)
    return { point: supplyPointOf(random, contract, agreements, bills), ledger }
  })
}

/** The sales channel of the account. */
const salesOf = (random: Random): Partial<AccountPayload> => ({
  sales_channel: random.pick(['DIRECT', 'TELESALES', 'PRICE_COMPARISON', 'MOVE_IN', 'FIELD_SALES']),
  ...(random.chance(0.4) && {
    sales_subchannel: random.pick(['Oficina', 'Web', 'Feria', 'Campaña de otoño']),
  }),
})

/** A valid account, its fields in table order. */
export const accountOf = (random: Random, plan: AccountPlan, identity: AccountIdentity): AccountPayload => {
  const { supplier, number, ordinal } = identity
  const address = someAddress(random)
  const { customers, billingName } = partiesOf(random, plan.kind, address.town.landline)
  const contracts = contractsOf(random, plan, address, ordinal)
  const supply = supplyOf(random, plan, contracts, number)
  const lastDay = lastDayOf(plan.months.at(-1) ?? 0)
  const isOccupied = plan.kind !== 'unknown-occupier'
  return {
    import_supplier: supplier,
    external_account_number: number,
    account_type: accountTypes[plan.kind],
    ...(isOccupied && { customers }),
    supply_addresses: [
      {
        supply_address: address.supplyAddress,
        customer_at_supply_address_from_date: dateOf(plan.startDay),
        supply_points: supply.map(({ point }) => point),
      },
    ],
    notes: notesOf(random, number, { most: plan.mostNotes, from: plan.startDay, to: lastDay }),
    ledgers: supply.map(({ ledger }) => ledger),
    ...(isOccupied && { payment_schedules: paymentSchedulesOf(random, plan.startDay, lastDay) }),
    statements: contracts.flatMap((contract) => statementsOf(contract, number)),
    metadata: metadataOf(random, plan.startDay),
    references: referencesOf(random, supplier),
    ...billingBlockOf(random, billingName, address),
    ...salesOf(random),
    unknown_occupier: !isOccupied,
    communication_preference: random.chance(0.8) ? 'ONLINE' : 'PRINT',
  }
}
