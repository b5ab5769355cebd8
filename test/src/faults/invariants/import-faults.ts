import type { Instant } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import type { Looked } from './look-at.js'
import type { Tally } from '../loads/tally.js'

/** What holds if its condition does not: the name of the invariant, and what is wrong. */
type Rule = readonly [holds: boolean, fault: string]

const sentPayloads = ({ key, staged }: Looked, tally: Tally): boolean =>
  staged === undefined ||
  tally.payloadsOf(key).some((payload) => isDeepStrictEqual(payload, JSON.parse(staged.payload)))

const ofAccount = ({ key, found, account, emails }: Looked, tally: Tally): readonly Rule[] => {
  const created = found?.created
  const told = tally.told.get(accountKeyText(key))
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

const ofImport = (looked: Looked, tally: Tally, at: Instant, claimSeconds: number): readonly Rule[] => {
  const { key, found, staged } = looked
  const version = staged?.version ?? 0
  const created = found?.created
  const claim = found?.claim
  const isLive = claim !== undefined && claim.expiresAt > at
  return [
    [(found?.stagedVersion ?? 0) === version, 'I3: the version is not that of the staged data'],
    [sentPayloads(looked, tally), 'I3: what is staged was never sent'],
    [
      version >= tally.stagingsOf(key) && version <= tally.payloadsOf(key).length,
      `I2: staged ${version} times, acknowledged were ${tally.stagingsOf(key)}`,
    ],
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
  tally: Tally,
  at: Instant,
  claimSeconds: number,
): readonly string[] =>
  [...ofAccount(looked, tally), ...ofImport(looked, tally, at, claimSeconds)]
    .filter(([holds]) => !holds)
    .map(([, fault]) => `${looked.key.externalAccountNumber}: ${fault}`)
