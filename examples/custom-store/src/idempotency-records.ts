import {
  portCall,
  type AnswerClaim,
  type AnswerClaimed,
  type AnsweredAccount,
  type AnswerKey,
  type Instant,
  type IdempotencyRecords,
  type KeyedWork,
} from '@account-import/core'
import { accountKeyText, countedHere, keptBytes } from '@account-import/core/adapter-kit'
import { isErased } from './is-erased.js'
import type { Access } from './turns.js'
import type { Rows, View } from './view.js'

type Row = Rows['answers']

const nameOf = ({ organisation, request }: AnswerKey): string => JSON.stringify([organisation, request])

const saidBy = (row: Row, { at, content, token }: AnswerClaim): AnswerClaimed => {
  if (row.expiresAt <= at || row.token === token) return { _tag: 'claimed' }
  if (row.content !== content) return { _tag: 'other_content' }
  if (row.answer !== undefined) return { _tag: 'answered', answer: row.answer }
  return row.endsAt > at ? { _tag: 'in_progress' } : { _tag: 'claimed' }
}

const claim = (view: View, { at, ...claimed }: AnswerClaim, until: Instant | undefined): AnswerClaimed => {
  const found = view.get('answers', nameOf(claimed.key))
  const said: AnswerClaimed = found === undefined ? { _tag: 'claimed' } : saidBy(found, { at, ...claimed })
  if (until !== undefined && said._tag === 'claimed' && (found === undefined || found.expiresAt <= at))
    return { _tag: 'full', until }
  if (said._tag === 'claimed') {
    // A repeated request does not do finished work again.
    const isDone = found?.isDone === true && found.expiresAt > at
    view.put('answers', nameOf(claimed.key), { ...claimed, isDone })
  }
  return said
}

/** Changes the row of a claim that is still current and has no response; returns whether it did. */
const change = (view: View, key: AnswerKey, token: string, changed: Partial<Row>): boolean => {
  const row = view.get('answers', nameOf(key))
  const isOpen = row?.token === token && row.answer === undefined
  if (isOpen) view.put('answers', nameOf(key), { ...row, ...changed })
  return isOpen
}

const forget = (view: View, at: Instant, limit: number): number => {
  const expired = view.rows('answers').filter(({ expiresAt }) => expiresAt <= at)
  const forgotten = expired.slice(0, limit)
  for (const { key } of forgotten) view.put('answers', nameOf(key), null)
  return forgotten.length
}

const isOfErased = (
  view: View,
  { organisation }: AnswerKey,
  account: AnsweredAccount | undefined,
): boolean => {
  const row = account && view.get('imports', accountKeyText({ organisation, ...account }))
  // Data was staged once and was not erased, and nothing was staged since.
  const isTakenBack =
    row?.stagedVersion === 0 && !row.skipped && row.erasedAt === undefined && row.payloadHash !== undefined
  return isTakenBack || isErased(row)
}

const call = portCall('idempotencyRecords')

/** This process alone counts the stored bytes, from 0 at its start. */
const bytes = keptBytes(countedHere())

const claimWithin = async (access: Access, claimed: AnswerClaim): Promise<AnswerClaimed> => {
  const { key, at, mostBytes } = claimed
  const until = mostBytes === undefined ? undefined : await bytes.fullUntil(key.organisation, at, mostBytes)
  const said = await access.change((view) => claim(view, claimed, until))
  if (said._tag === 'claimed') bytes.claimed(key.organisation)
  return said
}

export const idempotencyRecords = (access: Access): IdempotencyRecords => ({
  claim: (claimed) => call('claim', () => claimWithin(access, claimed)),
  keep: ({ key, token, answer, expiresAt, account }) =>
    call('keep', () =>
      access.change((view) => {
        const answered = { answer, expiresAt, ...(account && { account }) }
        if (!change(view, key, token, answered)) return 'claim_lost'
        bytes.kept(key.organisation, answer.body)
        if (!isOfErased(view, key, account)) return 'kept'
        view.put('answers', nameOf(key), null)
        return 'account_erased'
      }),
    ),
  release: ({ key, token, at }) =>
    call('release', () => access.change((view) => void change(view, key, token, { endsAt: at }))),
  forget: (at, limit) => call('forget', () => access.change((view) => forget(view, at, limit))),
})

/** Claims inside a unit of work. */
export const keyedWork = (access: Access): KeyedWork => ({
  begin: ({ key, token }) =>
    portCall('keyedWork')('begin', () =>
      access.change((view) => {
        const isDone = view.get('answers', nameOf(key))?.isDone
        if (!change(view, key, token, { isDone: true })) return 'claim_lost'
        return isDone === true ? 'done' : 'first'
      }),
    ),
})
