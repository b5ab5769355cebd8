import { accountKeyText } from '../domain/account-import.js'
import type {
  AnswerClaim,
  AnswerClaimed,
  AnsweredAccount,
  AnswerKey,
  ClaimedRequest,
  IdempotencyRecords,
  KeyedWork,
} from '../ports/idempotency-records.js'
import { portOf } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import { isTakenBack } from './account-imports.js'
import { type AnswerRow, isErased, type Memory, type Tables } from './memory.js'

const textOf = ({ organisation, request }: AnswerKey): string => `${organisation}\u0000${request}`

const outcomeFor = (row: AnswerRow, { at, content, token }: AnswerClaim): AnswerClaimed => {
  if (row.expiresAt <= at || row.token === token) return { _tag: 'claimed' }
  if (row.content !== content) return { _tag: 'other_content' }
  if (row.answer !== undefined) return { _tag: 'answered', answer: row.answer }
  return row.endsAt > at ? { _tag: 'in_progress' } : { _tag: 'claimed' }
}

/** Rows that a claim checks for expiry, as a service in memory may never call `forget`. */
const mostSeen = 20

/** Removes expired answers, and the marks of their requests. */
const forget = (
  rows: Memory['answers'],
  { doneRequests }: Tables,
  at: Instant,
  limit: number,
  mostLookedAt = Infinity,
): number => {
  let [seen, forgotten] = [0, 0]
  for (const [key, { expiresAt }] of rows) {
    if (seen === mostLookedAt || forgotten === limit) break
    seen += 1
    if (expiresAt > at) continue
    rows.delete(key)
    doneRequests.delete(key)
    forgotten += 1
  }
  return forgotten
}

/** The row of a claim, if `token` still has it and it has no answer yet. */
const openRow = (rows: Memory['answers'], { key, token }: ClaimedRequest): AnswerRow | undefined => {
  const row = rows.get(textOf(key))
  return row?.token === token && row.answer === undefined ? row : undefined
}

const isOfErased = (
  { imports }: Tables,
  { organisation }: AnswerKey,
  account: AnsweredAccount | undefined,
): boolean => {
  const row = account && imports.get(accountKeyText({ organisation, ...account }))
  return isTakenBack(row) || isErased(row)
}

export const inMemoryIdempotencyRecords = ({
  change,
  tables,
  answers: rows,
}: Pick<Memory, 'change' | 'tables' | 'answers'>): IdempotencyRecords =>
  portOf('idempotencyRecords', {
    claim: async (claim) => {
      const { key, content, token, at, endsAt, expiresAt } = claim
      const found = rows.get(textOf(key))
      const seen: AnswerClaimed = found === undefined ? { _tag: 'claimed' } : outcomeFor(found, claim)
      if (seen._tag !== 'claimed') return seen
      if (found !== undefined && found.expiresAt <= at) tables.doneRequests.delete(textOf(key))
      rows.delete(textOf(key))
      forget(rows, tables, at, mostSeen, mostSeen)
      rows.set(textOf(key), { key, content, token, endsAt, expiresAt, answer: undefined })
      return seen
    },
    keep: ({ key, token, answer, expiresAt, account }) =>
      change((own) => {
        const row = openRow(rows, { key, token })
        if (row === undefined) return 'claim_lost'
        if (isOfErased(own, key, account)) {
          rows.delete(textOf(key))
          return 'account_erased'
        }
        rows.set(textOf(key), { ...row, answer, expiresAt, account })
        return 'kept'
      }),
    release: async ({ key, token, at }) => {
      const row = openRow(rows, { key, token })
      if (row !== undefined) rows.set(textOf(key), { ...row, endsAt: at })
    },
    forget: async (at, limit) => forget(rows, tables, at, limit),
  })

/** The marks of done requests, on the tables of a unit of work. */
export const keyedWorkWithin = ({ doneRequests }: Tables, { answers }: Memory): KeyedWork =>
  portOf('keyedWork', {
    begin: async (claimed) => {
      if (openRow(answers, claimed) === undefined) return 'claim_lost'
      const key = textOf(claimed.key)
      if (doneRequests.get(key) === true) return 'done'
      doneRequests.set(key, true)
      return 'first'
    },
  })
