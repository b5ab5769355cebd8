import type { CustomerEmail } from '../domain/customer-email.js'
import type { EmailPageRequest, Outbox } from '../ports/outbox.js'
import { portCall } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import { backlogOf, claimRows, emailById, insertEmail, renewRow, retryRow, settleRow } from './email-rows.js'
import type { Memory, Tables } from './memory.js'

const call = portCall('outbox')

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

export const inMemoryOutbox = ({ tables: committed, change }: Memory): Outbox => ({
  enqueue: (emails) =>
    call('enqueue', () => change((tables) => emails.forEach((email) => insertEmail(tables, email)))),
  claimDue: (request) => call('claimDue', () => change((tables) => claimRows(tables, request))),
  renew: (renewal) => call('renew', () => change((tables) => renewRow(tables, renewal))),
  settle: (settlement) => call('settle', () => change((tables) => settleRow(tables, settlement))),
  backlog: (limit) => call('backlog', async () => backlogOf(committed, limit)),
  find: (id) => call('find', async () => emailById(committed, id)),
  page: (request) => call('page', async () => pageOf(committed, request)),
  retry: (ids, at) =>
    call('retry', () => change((tables) => ids.filter((id) => retryRow(tables, id, at)).length)),
})

export const outboxWithin = (tables: Tables): Pick<Outbox, 'enqueue'> => ({
  enqueue: (emails) => call('enqueue', async () => emails.forEach((email) => insertEmail(tables, email))),
})
