import type { AccountKey } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'

/** One request that adds data to an account. */
export type SentAddition = Readonly<{
  key: AccountKey
  /** Its additions, as `itemsOf` names them. */
  items: readonly string[]
  /** The sum of its transactions, in cents; they go to the first ledger. */
  cents: bigint
}>

/** Two states of a sent item: acknowledged, or of unknown outcome. */
type State = 'settled' | 'unanswered'

/**
 * The requests of clients, and their responses; `others` are accounts with a known state although none of these requests staged
 * them.
 */
export const emptyTally = (others: readonly AccountKey[] = []) => {
  const keys = new Map(others.map((key) => [accountKeyText(key), key]))
  const payloads = new Map<string, unknown[]>()
  const stagings = new Map<string, number>()
  const created = new Set<string>()
  const additions = new Map<string, Map<SentAddition, State>>()
  /** The number of the account in the first response after its creation, by the text of its key. */
  const told = new Map<string, string>()
  /** Responses that are never allowed, each with the invariant that it breaks. */
  const violations: string[] = []
  const statesOf = (key: AccountKey) => {
    const known = additions.get(accountKeyText(key)) ?? new Map<SentAddition, State>()
    additions.set(accountKeyText(key), known)
    return known
  }
  /** All clients get the same number of an account. */
  const hear = (key: AccountKey, platform: string): void => {
    const before = told.get(accountKeyText(key))
    if (before !== undefined && before !== platform)
      violations.push(`I1: ${key.externalAccountNumber} is reported as ${before} and as ${platform}`)
    keys.set(accountKeyText(key), key)
    told.set(accountKeyText(key), platform)
  }
  return {
    keys,
    told,
    violations,
    hear,
    /** `unanswered` of the requests were cut off. */
    counts: { requests: 0, acknowledged: 0, unanswered: 0 },
    /** Every payload that was sent to be staged. */
    payloadsOf: (key: AccountKey): readonly unknown[] => payloads.get(accountKeyText(key)) ?? [],
    additionsTo: (key: AccountKey) => {
      const inState = (wanted: State) =>
        [...statesOf(key)].flatMap(([addition, state]) => (state === wanted ? [addition] : []))
      return { settled: inState('settled'), unanswered: inState('unanswered') }
    },
    /** Called before the request is sent. */
    stage: (key: AccountKey, payload: unknown): void => {
      const text = accountKeyText(key)
      keys.set(text, key)
      payloads.set(text, [...(payloads.get(text) ?? []), payload])
    },
    /** The number of acknowledged stagings. */
    stagingsOf: (key: AccountKey): number => stagings.get(accountKeyText(key)) ?? 0,
    staged: (key: AccountKey): void => {
      stagings.set(accountKeyText(key), (stagings.get(accountKeyText(key)) ?? 0) + 1)
    },
    /** It was answered with 201, which happens once. */
    created: (key: AccountKey, platform: string): void => {
      if (created.has(accountKeyText(key)))
        violations.push(`I1: ${key.externalAccountNumber} was created twice`)
      created.add(accountKeyText(key))
      hear(key, platform)
    },
    /** Called before the request is sent. */
    add: (addition: SentAddition): void => void statesOf(addition.key).set(addition, 'unanswered'),
    settle: (addition: SentAddition): void => void statesOf(addition.key).set(addition, 'settled'),
  }
}

export type Tally = ReturnType<typeof emptyTally>
