import type { AccountKey } from '../domain/account-import.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { StorePorts } from '../ports/index.js'
import type { ClaimedEmail, EmailClaimRequest, NewCustomerEmail } from '../ports/outbox.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import { aSmallAccount, freshCode, start, created } from './builders.js'
import { right } from './contract-case.js'

export const anEmail = (key: AccountKey, enqueuedAt = start): NewCustomerEmail => ({
  id: crypto.randomUUID().replaceAll('-', '').slice(0, 22),
  key,
  platformAccountNumber: `A-${crypto.randomUUID().slice(0, 13).toUpperCase()}`,
  language: 'ca',
  enqueuedAt,
})

/** The e-mail after it was enqueued. */
export const enqueued = (email: NewCustomerEmail): CustomerEmail => ({
  ...email,
  attempts: 0,
  served: [],
  latestFailure: undefined,
  state: { _tag: 'waiting', dueAt: email.enqueuedAt },
})

/** Enqueues an e-mail for the key, with its account, in one unit of work. */
export const withEmail = async (
  ports: StorePorts,
  key: AccountKey,
  enqueuedAt = start,
): Promise<NewCustomerEmail> => {
  const email = anEmail(key, enqueuedAt)
  const account = aSmallAccount(key, email.platformAccountNumber)
  const customers = [
    { account_roles: ['ACCOUNT_HOLDER'], user_details: [], given_name: 'Núria', email: 'nuria@example.com' },
    { account_roles: [], user_details: [] },
  ]
  await created(ports, { ...account, details: { ...account.details, customers } })
  await right(ports.unitOfWork.run(key.organisation, ({ outbox }) => outbox.enqueue([email])))
  return email
}

/** A claim whose lease lasts for 60 seconds. */
export const anEmailClaim = (at: Instant, limit = 100): EmailClaimRequest => ({
  token: freshCode('token'),
  at,
  leaseEndsAt: plusSeconds(at, 60),
  limit,
})

/** Claims until the e-mail is claimed: other cases may have e-mails that are due. */
export const claimedEmail = async (
  ports: StorePorts,
  { id }: Pick<NewCustomerEmail, 'id'>,
  at: Instant,
): Promise<ClaimedEmail> => {
  for (;;) {
    const claimed = await right(ports.outbox.claimDue(anEmailClaim(at)))
    const found = claimed.find(({ email }) => email.id === id)
    if (found !== undefined) return found
    if (claimed.length === 0) throw new Error('the e-mail is not due')
  }
}
