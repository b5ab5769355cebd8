import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { pipe, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import type { NewCustomerEmail } from '../ports/outbox.js'
import type { Instant } from '../values/instant.js'
import { aClaim, after, aSmallAccount, aStaging, freshCode, start } from './builders.js'
import { equal, right } from './contract-case.js'

/** Stages and creates an account, with `email` if it is given. */
export const createdFrom = async (
  ports: StorePorts,
  key: AccountKey,
  at: Instant = start,
  accountOf: (key: AccountKey) => Account = aSmallAccount,
  email?: NewCustomerEmail,
): Promise<Account> => {
  const token = freshCode('token')
  await right(ports.accountImports.stage([aStaging(key, '{"a":"staged"}', at)]))
  await right(ports.accountImports.claim([aClaim(key, token, at)]))
  const account = { ...accountOf(key), stagedVersion: 1, createdAt: at }
  const { platformAccountNumber } = account
  const ofAccount = email && { ...email, platformAccountNumber }
  await right(
    ports.unitOfWork.run(({ accountImports, accounts, outbox }) =>
      pipe(
        accountImports.complete([{ key, token, platformAccountNumber, at }]),
        TE.flatMap(() => accounts.create([account])),
        TE.flatMap(() => outbox.enqueue(ofAccount === undefined ? [] : [ofAccount])),
      ),
    ),
  )
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
