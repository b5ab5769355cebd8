import type {
  AnswerClaim,
  AnswerClaimed,
  AnsweredAccount,
  AnswerKey,
  KeptAnswer,
  KeptAnswers,
} from '../ports/kept-answers.js'
import { accountKeyText } from '../domain/account-key.js'
import { portCall } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import { isErased } from './import-rows.js'
import type { Memory, Tables } from './memory.js'

export type AnswerRow = Pick<AnswerClaim, 'key' | 'content' | 'token' | 'endsAt' | 'expiresAt'> &
  Readonly<{ answer: KeptAnswer | undefined; account?: AnsweredAccount | undefined }>

const textOf = ({ organisation, request }: AnswerKey): string => `${organisation}\u0000${request}`

const seenBy = (row: AnswerRow, { at, content, token }: AnswerClaim): AnswerClaimed => {
  if (row.expiresAt <= at || row.token === token) return { _tag: 'claimed' }
  if (row.content !== content) return { _tag: 'other_content' }
  if (row.answer !== undefined) return { _tag: 'answered', answer: row.answer }
  return row.endsAt > at ? { _tag: 'in_progress' } : { _tag: 'claimed' }
}

/** How many a claim looks at to remove them: nobody calls `forget` for a service that lives in memory. */
const mostSeen = 20

const forget = (
  rows: Map<string, AnswerRow>,
  at: Instant,
  limit: number,
  mostLookedAt = Infinity,
): number => {
  let [seen, forgotten] = [0, 0]
  for (const [key, { expiresAt }] of rows) {
    if (seen === mostLookedAt || forgotten === limit) break
    seen += 1
    if (expiresAt <= at && rows.delete(key)) forgotten += 1
  }
  return forgotten
}

const isOfErased = (
  { imports }: Tables,
  { organisation }: AnswerKey,
  account: AnsweredAccount | undefined,
): boolean => account !== undefined && isErased(imports.get(accountKeyText({ organisation, ...account })))

export const inMemoryKeptAnswers = (
  { change }: Pick<Memory, 'change'>,
  rows: Map<string, AnswerRow>,
): KeptAnswers => {
  const call = portCall('keptAnswers')
  /** The row of a claim that is still this one, and waits for its answer. */
  const openRow = (key: AnswerKey, token: string): AnswerRow | undefined => {
    const row = rows.get(textOf(key))
    return row?.token === token && row.answer === undefined ? row : undefined
  }
  return {
    claim: (claim) =>
      call('claim', async () => {
        const { key, content, token, endsAt, expiresAt } = claim
        const found = rows.get(textOf(key))
        const seen: AnswerClaimed = found === undefined ? { _tag: 'claimed' } : seenBy(found, claim)
        if (seen._tag !== 'claimed') return seen
        rows.delete(textOf(key))
        forget(rows, claim.at, mostSeen, mostSeen)
        rows.set(textOf(key), { key, content, token, endsAt, expiresAt, answer: undefined })
        return seen
      }),
    keep: ({ key, token, answer, expiresAt, account }) =>
      call('keep', () =>
        change((tables) => {
          const row = openRow(key, token)
          if (row === undefined) return 'claim_lost'
          if (isOfErased(tables, key, account)) {
            rows.delete(textOf(key))
            return 'account_erased'
          }
          rows.set(textOf(key), { ...row, answer, expiresAt, account })
          return 'kept'
        }),
      ),
    release: ({ key, token, at }) =>
      call('release', async () => {
        const row = openRow(key, token)
        if (row !== undefined) rows.set(textOf(key), { ...row, endsAt: at })
      }),
    forget: (at, limit) => call('forget', async () => forget(rows, at, limit)),
  }
}
