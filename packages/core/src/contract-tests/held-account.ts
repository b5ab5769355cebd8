import type { AccountKey } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import { pipe, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import type { NewCustomerEmail } from '../ports/outbox.js'
import type { Instant } from '../values/instant.js'
import { aClaim, after, aSmallAccount, aStaging, freshCode, start } from './builders.js'
import { right } from './contract-case.js'

/** An account that was staged and created; with an e-mail, where that is given. */
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

/** A request with an idempotency key about the account, answered and kept until second 1000. */
export const keptAnswerOf = async (
  { keptAnswers }: Pick<StorePorts, 'keptAnswers'>,
  { organisation, importSupplier, externalAccountNumber }: AccountKey,
  body: string,
) => {
  const key = { organisation, request: freshCode('r').padEnd(64, '0') }
  const token = freshCode('token')
  const claim = { key, content: 'c'.repeat(64), token, at: start, endsAt: after(60), expiresAt: after(1000) }
  await right(keptAnswers.claim(claim))
  const account = { importSupplier, externalAccountNumber }
  const answer = { status: 201, headers: { 'Import-Warnings-Total': '1' }, body }
  await right(keptAnswers.keep({ key, token, answer, expiresAt: after(1000), account }))
  return { answer, again: { ...claim, token: freshCode('token'), at: after(1) } }
}
