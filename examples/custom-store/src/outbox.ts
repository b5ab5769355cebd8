import {
  portCall,
  type ClaimedEmail,
  type Contact,
  type CustomerEmail,
  type EmailClaimRequest,
  type EmailPageRequest,
  type EmailRenewal,
  type EmailSettlement,
  type Instant,
  type NewCustomerEmail,
  type Outbox,
  type OutboxBacklog,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { pageOf } from './pages.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

const save = (view: View, email: CustomerEmail): void => view.put('emails', accountKeyText(email.key), email)

const byId = (view: View, id: string): CustomerEmail | undefined => {
  const key = view.get('emailIds', id)
  return key === undefined ? undefined : view.get('emails', key)
}

const insert = (view: View, email: NewCustomerEmail): void => {
  const key = accountKeyText(email.key)
  view.insert('emailIds', email.id, key)
  const state = { _tag: 'waiting', dueAt: email.enqueuedAt } as const
  view.insert('emails', key, { ...email, attempts: 0, served: [], latestFailure: undefined, state })
}

/** The time from which it may be claimed. */
const dueSince = ({ state }: CustomerEmail): Instant | undefined => {
  if (state._tag === 'waiting') return state.dueAt
  return state._tag === 'sending' ? state.leaseEndsAt : undefined
}

const backlog = (view: View, limit: number): OutboxBacklog => {
  const emails = view.rows('emails')
  const due = emails.flatMap((email) => dueSince(email) ?? []).toSorted()
  const parked = emails.filter(({ state }) => state._tag === 'parked')
  return {
    waiting: Math.min(due.length, limit),
    parked: Math.min(parked.length, limit),
    firstDueAt: due[0],
  }
}

const contactsOf = (view: View, { key }: CustomerEmail): readonly Contact[] =>
  (view.get('accounts', accountKeyText(key))?.details.customers ?? []).map((customer) => ({
    account_roles: customer.account_roles,
    ...(customer.given_name !== undefined && { given_name: customer.given_name }),
    ...(customer.email !== undefined && { email: customer.email }),
  }))

const claimDue = (view: View, request: EmailClaimRequest): readonly ClaimedEmail[] => {
  const { token, at, leaseEndsAt, limit } = request
  return view
    .rows('emails')
    .flatMap((email) => {
      const since = dueSince(email)
      return since !== undefined && since <= at ? [{ email, since }] : []
    })
    .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
    .slice(0, limit)
    .map(({ email: due }) => {
      const email: CustomerEmail = { ...due, state: { _tag: 'sending', token, leaseEndsAt } }
      save(view, email)
      return { email, token, leaseEndsAt, customers: contactsOf(view, email) }
    })
}

const settled = (email: CustomerEmail, settlement: EmailSettlement): CustomerEmail => {
  const { at, code } = settlement
  const latestFailure = code === undefined ? email.latestFailure : { code, occurredAt: at }
  if (settlement._tag === 'sent') return { ...email, latestFailure, state: { _tag: 'sent', at } }
  if (settlement._tag === 'released')
    return { ...email, latestFailure, state: { _tag: 'waiting', dueAt: at } }
  const tried = { ...email, latestFailure, attempts: email.attempts + 1, served: settlement.served }
  return settlement._tag === 'parked'
    ? { ...tried, state: { _tag: 'parked', at } }
    : { ...tried, state: { _tag: 'waiting', dueAt: settlement.dueAt } }
}

/** The e-mail, if the claim with the token holds it. */
const heldBy = (view: View, id: string, token: string): CustomerEmail | undefined => {
  const email = byId(view, id)
  return email?.state._tag === 'sending' && email.state.token === token ? email : undefined
}

const renew = (view: View, { id, token, served, leaseEndsAt }: EmailRenewal): 'renewed' | 'lease_lost' => {
  const email = heldBy(view, id, token)
  if (email === undefined) return 'lease_lost'
  save(view, { ...email, served, state: { _tag: 'sending', token, leaseEndsAt } })
  return 'renewed'
}

const settle = (view: View, settlement: EmailSettlement): 'settled' | 'lease_lost' => {
  const email = heldBy(view, settlement.id, settlement.token)
  if (email === undefined) return 'lease_lost'
  save(view, settled(email, settlement))
  return 'settled'
}

const retry = (view: View, id: string, at: Instant): boolean => {
  const email = byId(view, id)
  if (email?.state._tag !== 'parked' && email?.state._tag !== 'waiting') return false
  save(view, { ...email, attempts: 0, state: { _tag: 'waiting', dueAt: at } })
  return true
}

const belongsTo =
  (list: EmailPageRequest['list']) =>
  ({ state }: CustomerEmail): boolean =>
    list === undefined || (state._tag === 'sending' ? 'waiting' : state._tag) === list

const call = portCall('outbox')

export const outbox = ({ read, change }: Access): Outbox => ({
  enqueue: (emails) =>
    call('enqueue', () => change((view) => emails.forEach((email) => insert(view, email)))),
  claimDue: (request) => call('claimDue', () => change((view) => claimDue(view, request))),
  renew: (renewal) => call('renew', () => change((view) => renew(view, renewal))),
  settle: (settlement) => call('settle', () => change((view) => settle(view, settlement))),
  backlog: (limit) => call('backlog', () => read((view) => backlog(view, limit))),
  find: (id) => call('find', () => read((view) => byId(view, id))),
  page: (request) =>
    call('page', () => read((view) => pageOf(view.rows('emails').filter(belongsTo(request.list)), request))),
  retry: (ids, at) => call('retry', () => change((view) => ids.filter((id) => retry(view, id, at)).length)),
})
