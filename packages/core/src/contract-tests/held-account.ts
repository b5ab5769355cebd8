import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { StorePorts } from '../ports/index.js'
import type { NewCustomerEmail } from '../ports/outbox.js'
import type { Instant } from '../values/instant.js'
import { after, aSmallAccount, created, freshCode, start } from './builders.js'
import { equal, right } from './contract-case.js'

const accountAt = (key: AccountKey, at: Instant): Account => aSmallAccount(key, undefined, at)

/** Stages and creates an account, and enqueues `email` for it if it is given. */
export const createdFrom = async (
  ports: StorePorts,
  key: AccountKey,
  at: Instant = start,
  accountOf: (key: AccountKey, at: Instant) => Account = accountAt,
  email?: NewCustomerEmail,
): Promise<Account> => {
  const account = await created(ports, accountOf(key, at))
  const { platformAccountNumber } = account
  if (email !== undefined) await right(ports.outbox.enqueue([{ ...email, platformAccountNumber }]))
  return account
}

/** Claims a request with an idempotency key about the account; its answer is kept until second 1000. */
export const claimedRequest = async (
  { idempotencyRecords }: Pick<StorePorts, 'idempotencyRecords'>,
  { organisation, importSupplier, externalAccountNumber }: AccountKey,
) => {
  const key = { organisation, request: freshCode('r').padEnd(64, '0') }
  const token = freshCode('token')
  const claim = { key, content: 'c'.repeat(64), token, at: start, endsAt: after(60), expiresAt: after(1000) }
  await right(idempotencyRecords.claim(claim))
  const account = { importSupplier, externalAccountNumber }
  const answerOf = (body: string) => ({ status: 201, headers: { 'Import-Warnings-Total': '1' }, body })
  return {
    answerOf,
    keep: (body: string) =>
      right(idempotencyRecords.keep({ key, token, answer: answerOf(body), expiresAt: after(1000), account })),
    again: { ...claim, token: freshCode('token'), at: after(1) },
  }
}

/** Claims a request about the account, and keeps its answer. */
export const keptAnswerOf = async (
  ports: Pick<StorePorts, 'idempotencyRecords'>,
  key: AccountKey,
  body: string,
) => {
  const { keep, answerOf, again } = await claimedRequest(ports, key)
  equal(await keep(body), 'kept')
  return { answer: answerOf(body), again }
}
