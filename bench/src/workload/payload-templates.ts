import { generateAccounts } from '@account-import/example-generate-accounts'
import { declared, inOrder, scatter, shuffled, sorted, type KeyOrder } from './key-orders.js'
import { names, numberTemplate } from './names.js'
import type { Order, PayloadKind, Size } from './payload-kind.js'

/** Different accounts, each in an order of its own: more than what a validator could learn by heart. */
const counts: Readonly<Record<Size, number>> = { small: 96, typical: 96, heavy: 24 }

/** What an account may come without, whatever else it holds. */
const optional = new Set([
  'billing_address2',
  'communication_preference',
  'display_note',
  'landline',
  'metadata',
  'notes',
  'payment_schedules',
  'references',
  'sales_channel',
  'sales_subchannel',
])

/** Each optional field is left out of every fourth account. */
const isGiven = (key: string, account: number): boolean =>
  !optional.has(key) || scatter(`${key} ${account}`) % 4 !== 0

const orderOf = (order: Order, account: number): KeyOrder =>
  ({
    mixed: [declared, sorted, shuffled(String(account))][account % 3] ?? declared,
    declared,
    sorted,
    shuffled: shuffled(String(account)),
  })[order]

const made = new Map<string, readonly string[]>()

/** Valid accounts as JSON, with `placeholder` wherever the number of the account goes. */
export const payloadTemplates = ({ size, order }: PayloadKind): readonly string[] => {
  const kind = `${size} ${order}`
  const known = made.get(kind)
  if (known !== undefined) return known
  const accounts = generateAccounts({ count: counts[size], profile: size, supplier: names.supplier })
  const templates = [...accounts].map(({ payload, number }, account) => {
    const keys = orderOf(order, account)
    const sent = inOrder(payload, (all) => keys(all.filter((key) => isGiven(key, account))))
    return JSON.stringify(sent).replaceAll(number, numberTemplate)
  })
  made.set(kind, templates)
  return templates
}
