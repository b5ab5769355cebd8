import { readFileSync } from 'node:fs'
import type { TransactionsRequest } from '@account-import/core'
import { payloadTemplates } from './accounts.js'
import { digitsOf, names, placeholder, type PayloadKind, type SingleVerb } from './kinds.js'

const numberTemplate = `LEV-${placeholder}`

const processTemplate = JSON.stringify({
  external_account_number: numberTemplate,
  import_supplier_code: names.supplier,
  operations_team_name: names.team,
})

const transactionsPerRequest = 1000
const sample = new URL('../../../examples/samples/transactions.json', import.meta.url)

/**
 * The request that adds transactions to an account, about 300 KB: those of the sample again and again, with ids of
 * their own; on days that lie in the open statement periods.
 */
const transactionsTemplate = (): string => {
  const { transactions } = JSON.parse(readFileSync(sample, 'utf8')) as TransactionsRequest
  return JSON.stringify({
    import_supplier: names.supplier,
    external_account_number: numberTemplate,
    transactions: Array.from({ length: transactionsPerRequest }, (_, place) => ({
      ...transactions[place % transactions.length],
      transaction_id: `${numberTemplate}-N-${place}`,
      transaction_date: '2025-08-15',
    })),
  })
}

/** The bodies of requests with `placeholder` in them; account `i` is sent with template `i` modulo their number. */
export const bodyTemplates = (verb: SingleVerb, payload: PayloadKind): readonly string[] => {
  if (verb === 'process') return [processTemplate]
  return verb === 'transactions' ? [transactionsTemplate()] : payloadTemplates(payload)
}

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
