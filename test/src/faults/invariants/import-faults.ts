import type { Instant } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import type { Looked } from './look-at.js'
import type { Sent } from './sent.js'

/** What holds if its condition does not: the name of the invariant, and what is wrong. */
type Rule = readonly [holds: boolean, fault: string]

const sentPayloads = ({ key, staged }: Looked, sent: Sent): boolean =>
  staged === undefined ||
  sent.payloadsOf(key).some((payload) => isDeepStrictEqual(payload, JSON.parse(staged.payload)))

const ofAccount = ({ key, found, account, emails }: Looked, sent: Sent): readonly Rule[] => {
  const created = found?.created
  const told = sent.told.get(accountKeyText(key))
  const number = account?.platformAccountNumber
  return [
    [told === undefined || told === number, `I2: was answered with ${told} and has ${number}`],
    [created?.platformAccountNumber === number, `I3, I4: import and account are not created together`],
    [created?.createdAt === account?.createdAt, 'I3: import and account have different times'],
    [created?.stagedVersion === account?.stagedVersion, 'I3: the account is of another version'],
    [emails.every((email) => email.platformAccountNumber === number), 'I3: an e-mail without its account'],
    [emails.length <= 1, `I3: ${emails.length} e-mails`],
  ]
}

const ofImport = (looked: Looked, sent: Sent, at: Instant, claimSeconds: number): readonly Rule[] => {
  const { found, staged } = looked
  const created = found?.created
  const claim = found?.claim
  const isLive = claim !== undefined && claim.expiresAt > at
  return [
    [
      (found?.stagedVersion ?? 0) === (staged?.version ?? 0),
      'I3: the version is not that of the staged data',
    ],
    [sentPayloads(looked, sent), 'I3: what is staged was never sent'],
    [
      created === undefined || created.stagedVersion === found?.stagedVersion,
      'I3: staged after it was created',
    ],
    [
      !isLive || claim.expiresAt <= plusSeconds(at, claimSeconds),
      'I4: a claim that lasts longer than claims do',
    ],
    [!isLive || created === undefined, 'I4, I7: in progress and created'],
    [!isLive || found?.skipped !== true, 'I7: in progress and skipped'],
    [created === undefined || found?.skipped !== true, 'I7: created and skipped'],
  ]
}

/** What is wrong with one import and what belongs to it. */
export const importFaults = (
  looked: Looked,
  sent: Sent,
  at: Instant,
  claimSeconds: number,
): readonly string[] =>
  [...ofAccount(looked, sent), ...ofImport(looked, sent, at, claimSeconds)]
    .filter(([holds]) => !holds)
    .map(([, fault]) => `${looked.key.externalAccountNumber}: ${fault}`)
