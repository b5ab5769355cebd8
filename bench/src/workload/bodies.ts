import { generateAccounts } from '@account-import/example-generate-accounts'
import { digitsOf, names, placeholder, type SingleVerb, type Size } from './kinds.js'

const numberTemplate = `LEV-${placeholder}`

/** Puts the keys of one kind of object into an order; keys that it leaves out are left out of the object. */
type KeyOrder = (keys: readonly string[]) => readonly string[]

/** The same value with the keys of all its objects in another order. */
export const inOrder = (value: unknown, order: KeyOrder): unknown => {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, order))
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(order(Object.keys(holder)).map((key) => [key, inOrder(holder[key], order)]))
}

export const sorted: KeyOrder = (keys) => keys.toSorted()

/** A number of 32 bits that has nothing to do with what the text means, the same in each run. */
const scatter = (text: string): number => {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash
}

/** Each kind of object in an order of its own, as an exporter might write it; another salt gives other orders. */
export const shuffled =
  (salt: string): KeyOrder =>
  (keys) =>
    keys.toSorted((left, right) => scatter(salt + left) - scatter(salt + right))

/** Different accounts, each in an order of its own: more than what a validator could learn by heart. */
const counts: Readonly<Record<Size, number>> = { small: 96, typical: 96, heavy: 24 }

/** The optional parts of an account. */
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

const isGiven = (key: string, account: number): boolean =>
  !optional.has(key) || scatter(`${key} ${account}`) % 4 !== 0

/** A third as the tables declare them, a third from A to Z, a third shuffled anew for each account. */
const orderOf = (account: number): KeyOrder =>
  [sorted, shuffled(String(account))][account % 3] ?? ((keys) => keys)

const made = new Map<Size, readonly string[]>()

/** Valid accounts as JSON, with `placeholder` wherever the number of the account goes. */
const payloadTemplates = (size: Size): readonly string[] => {
  const known = made.get(size)
  if (known !== undefined) return known
  const accounts = generateAccounts({ count: counts[size], profile: size, supplier: names.supplier })
  const templates = [...accounts].map(({ payload, number }, account) => {
    const keys = orderOf(account)
    const sent = inOrder(payload, (all) => keys(all.filter((key) => isGiven(key, account))))
    return JSON.stringify(sent).replaceAll(number, numberTemplate)
  })
  made.set(size, templates)
  return templates
}

const processTemplate = JSON.stringify({
  external_account_number: numberTemplate,
  import_supplier_code: names.supplier,
  operations_team_name: names.team,
})

/** The bodies of requests with `placeholder` in them; account `i` is sent with template `i` modulo their number. */
export const bodyTemplates = (verb: SingleVerb, size: Size): readonly string[] =>
  verb === 'process' ? [processTemplate] : payloadTemplates(size)

/** How many of these fit into so many bytes, by their middle size; at least one, at most so many. */
export const howManyFit = (templates: readonly string[], bytes: number, most: number): number => {
  const all = templates.reduce((sum, template) => sum + Buffer.byteLength(template) + 1, 0)
  return Math.max(1, Math.min(most, Math.floor((bytes * templates.length) / all)))
}

/** Bytes that are made once and copied with another number, so that sending an account costs the client next to nothing. */
const makeStamp = (template: string): ((index: number) => Buffer) => {
  const bytes = Buffer.from(template)
  const places = [...bytes.toString('latin1').matchAll(/#{8}/g)].map(({ index }) => index)
  return (index) => {
    const copy = Buffer.from(bytes)
    const digits = Buffer.from(digitsOf(index))
    for (const place of places) digits.copy(copy, place)
    return copy
  }
}

/** Gives bytes made from the templates for any account. */
export const stamped = (templates: readonly string[]): ((index: number) => Buffer) => {
  const stamps = templates.map(makeStamp)
  return (index) => {
    const stamp = stamps[index % stamps.length]
    if (stamp === undefined) throw new Error('There are no templates')
    return stamp(index)
  }
}
