import { accountKeyText } from '../domain/account-import.js'
import { contactsOf, type CustomerEmail } from '../domain/customer-email.js'
import type {
  ClaimedEmail,
  EmailClaimRequest,
  EmailPageRequest,
  EmailRenewal,
  EmailSettlement,
  NewCustomerEmail,
  Outbox,
  OutboxBacklog,
} from '../ports/outbox.js'
import { portOf } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { Instant } from '../values/instant.js'
import type { Memory, Tables } from './memory.js'

const save = (tables: Tables, email: CustomerEmail): void =>
  tables.emails.set(accountKeyText(email.key), email)

const emailById = (tables: Tables, id: string): CustomerEmail | undefined => {
  const key = tables.emailIds.get(id)
  return key === undefined ? undefined : tables.emails.get(key)
}

const insertEmail = (tables: Tables, email: NewCustomerEmail): void => {
  const key = accountKeyText(email.key)
  if (tables.emails.get(key) !== undefined) throw new Error('the account has an e-mail')
  if (tables.emailIds.get(email.id) !== undefined) throw new Error('the id is taken')
  tables.emailIds.set(email.id, key)
  save(tables, {
    ...email,
    attempts: 0,
    served: [],
    latestFailure: undefined,
    state: { _tag: 'waiting', dueAt: email.enqueuedAt },
  })
}

/** The time from which the e-mail may be claimed. */
const dueAt = ({ state }: CustomerEmail): Instant | undefined => {
  if (state._tag === 'waiting') return state.dueAt
  return state._tag === 'sending' ? state.leaseEndsAt : undefined
}

/** Waiting and parked e-mails of the whole outbox, counted up to the limit. */
const backlogOf = (tables: Tables, limit: number): OutboxBacklog => {
  const emails = [...tables.emails.rows()]
  const due = emails.flatMap((email) => dueAt(email) ?? []).sort()
  const parked = emails.filter(({ state }) => state._tag === 'parked')
  return {
    waiting: Math.min(due.length, limit),
    parked: Math.min(parked.length, limit),
    firstDueAt: due[0],
  }
}

const claimRows = (
  tables: Tables,
  { token, at, leaseEndsAt, limit }: EmailClaimRequest,
): readonly ClaimedEmail[] => {
  const due: Readonly<{ since: Instant; email: CustomerEmail }>[] = []
  for (const email of tables.emails.rows()) {
    const since = dueAt(email)
    if (since !== undefined && since <= at) due.push({ since, email })
  }
  return due
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
    .slice(0, limit)
    .map(({ email: waiting }) => {
      const email: CustomerEmail = { ...waiting, state: { _tag: 'sending', token, leaseEndsAt } }
      save(tables, email)
      const { customers = [] } = tables.accounts.get(accountKeyText(email.key))?.details ?? {}
      return { email, token, leaseEndsAt, customers: contactsOf(customers) }
    })
}

const settled = (email: CustomerEmail, settlement: EmailSettlement): CustomerEmail => {
  const { at } = settlement
  const latestFailure =
    settlement.code === undefined ? email.latestFailure : { code: settlement.code, occurredAt: at }
  switch (settlement._tag) {
    case 'sent':
      return { ...email, latestFailure, state: { _tag: 'sent', at } }
    case 'parked': {
      const { served } = settlement
      return { ...email, latestFailure, attempts: email.attempts + 1, served, state: { _tag: 'parked', at } }
    }
    case 'deferred': {
      const { served, dueAt: next } = settlement
      const state = { _tag: 'waiting', dueAt: next } as const
      return { ...email, latestFailure, attempts: email.attempts + 1, served, state }
    }
    case 'released':
      return { ...email, latestFailure, state: { _tag: 'waiting', dueAt: at } }
  }
}

/** The e-mail, if the token has its lease. */
const heldBy = (tables: Tables, id: string, token: string): CustomerEmail | undefined => {
  const email = emailById(tables, id)
  return email?.state._tag === 'sending' && email.state.token === token ? email : undefined
}

const renewRow = (
  tables: Tables,
  { id, token, served, leaseEndsAt }: EmailRenewal,
): 'renewed' | 'lease_lost' => {
  const email = heldBy(tables, id, token)
  if (email === undefined) return 'lease_lost'
  save(tables, { ...email, served, state: { _tag: 'sending', token, leaseEndsAt } })
  return 'renewed'
}

const settleRow = (tables: Tables, settlement: EmailSettlement): 'settled' | 'lease_lost' => {
  const email = heldBy(tables, settlement.id, settlement.token)
  if (email === undefined) return 'lease_lost'
  save(tables, settled(email, settlement))
  return 'settled'
}

const retryRow = (tables: Tables, id: string, at: Instant): boolean => {
  const email = emailById(tables, id)
  if (email?.state._tag !== 'parked' && email?.state._tag !== 'waiting') return false
  save(tables, { ...email, attempts: 0, state: { _tag: 'waiting', dueAt: at } })
  return true
}

const belongsTo = ({ state }: CustomerEmail, list: EmailPageRequest['list']): boolean =>
  list === undefined || state._tag === list || (list === 'waiting' && state._tag === 'sending')

const pageOf = (
  { emails }: Tables,
  { organisation, importSupplier, list, after, limit }: EmailPageRequest,
): readonly CustomerEmail[] =>
  [...emails.rows()]
    .filter((email) => {
      const { key } = email
      return (
        key.organisation === organisation &&
        key.importSupplier === importSupplier &&
        belongsTo(email, list) &&
        (after === undefined || compareCodePoints(key.externalAccountNumber, after) > 0)
      )
    })
    .sort((a, b) => compareCodePoints(a.key.externalAccountNumber, b.key.externalAccountNumber))
    .slice(0, limit)

export const inMemoryOutbox = ({ tables: committed, change }: Memory): Outbox =>
  portOf('outbox', {
    enqueue: (emails) => change((tables) => emails.forEach((email) => insertEmail(tables, email))),
    claimDue: (request) => change((tables) => claimRows(tables, request)),
    renew: (renewal) => change((tables) => renewRow(tables, renewal)),
    settle: (settlement) => change((tables) => settleRow(tables, settlement)),
    backlog: async (limit) => backlogOf(committed, limit),
    find: async (id) => emailById(committed, id),
    page: async (request) => pageOf(committed, request),
    retry: (ids, at) => change((tables) => ids.filter((id) => retryRow(tables, id, at)).length),
  })
