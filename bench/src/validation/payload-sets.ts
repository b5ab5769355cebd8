import { generateAccounts } from '@account-import/example-generate-accounts'
import { manyItems } from './many-items.js'
import { inOrder, shuffled, sorted, type KeyOrder } from '../workload/key-orders.js'

/** Accounts that are measured together, each as JSON text; `anew`, where there is one, makes another text for each round. */
export type PayloadSet = Readonly<{
  name: string
  texts: readonly string[]
  anew?: (text: string) => string
}>

const typical = (): readonly object[] =>
  [...generateAccounts({ count: 200 })].map(({ payload }) => payload as object)

const set = (name: string, payloads: readonly unknown[]): PayloadSet => ({
  name,
  texts: payloads.map((payload) => JSON.stringify(payload)),
})

const ordered = (order: KeyOrder): readonly unknown[] => typical().map((account) => inOrder(account, order))

let numbers = 0

/** The account with phone numbers that were not seen before: the last digits are counted up. */
const withOtherNumbers = (text: string): string =>
  text.replaceAll(
    /("(?:mobile|landline)":"[^"]*)\d{6}"/g,
    (_, start: string) => `${start}${String(numbers++ % 1_000_000).padStart(6, '0')}"`,
  )

/**
 * Typical accounts with their keys in the order of the tables, in alphabetical and in mixed order, with an unknown
 * field, and with phone numbers that are not remembered; and accounts at their worst. The last two have the same size.
 */
export const payloadSets = (): readonly PayloadSet[] => [
  set('typical', typical()),
  set('typical, keys from A to Z', ordered(sorted)),
  set('typical, keys shuffled', ordered(shuffled(''))),
  set(
    'typical, one unknown field',
    typical().map((account) => ({ ...account, legacy_id: 'X1' })),
  ),
  { ...set('typical, new phone numbers', typical()), anew: withOtherNumbers },
  set(
    'heavy',
    [...generateAccounts({ count: 15, profile: 'heavy' })].map(({ payload }) => payload),
  ),
  set('1 000 items, valid', [manyItems('12.50')]),
  set('1 000 items, each wrong', [manyItems('12,50')]),
]
