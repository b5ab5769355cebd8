import type { AccountKey } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'

/** One request that adds data to an account. */
export type SentAddition = Readonly<{
  key: AccountKey
  /** What it adds, as `itemsOf` names it. */
  items: readonly string[]
  /** What its transactions come to, in cents; they go to the first ledger. */
  cents: bigint
}>

/** What clients sent, and what they were told. */
export type Tally = Readonly<{
  keys: ReadonlyMap<string, AccountKey>
  /** Every payload that was sent to be staged. */
  payloadsOf(key: AccountKey): readonly unknown[]
  additionsTo(
    key: AccountKey,
  ): Readonly<{ settled: readonly SentAddition[]; unanswered: readonly SentAddition[] }>
  /** The number that somebody was told once the account was created, by the text of its key. */
  told: Map<string, string>
  /** `unanswered` of the requests were cut off. */
  counts: { requests: number; acknowledged: number; unanswered: number }
  /** Answers that nobody should ever get, each with the invariant that it breaks. */
  violations: string[]
  /** To be called before it is sent. */
  stage(key: AccountKey, payload: unknown): void
  /** Its staging was acknowledged. */
  staged(key: AccountKey): void
  /** How often its staging was acknowledged. */
  stagingsOf(key: AccountKey): number
  /** It was answered 201, which happens once. */
  created(key: AccountKey, platformAccountNumber: string): void
  /** Whoever hears the number of an account hears the same. */
  hear(key: AccountKey, platformAccountNumber: string): void
  /** To be called before it is sent. */
  add(addition: SentAddition): void
  /** It was answered as added. */
  settle(addition: SentAddition): void
}>

/** `others` are accounts of which something is known though nothing was staged. */
export const emptyTally = (others: readonly AccountKey[] = []): Tally => {
  const keys = new Map(others.map((key) => [accountKeyText(key), key]))
  const payloads = new Map<string, unknown[]>()
  const stagings = new Map<string, number>()
  const created = new Set<string>()
  const told = new Map<string, string>()
  const violations: string[] = []
  const additions = new Map<string, Map<SentAddition, 'settled' | 'unanswered'>>()
  const statesOf = (key: AccountKey) => {
    const known = additions.get(accountKeyText(key)) ?? new Map<SentAddition, 'settled' | 'unanswered'>()
    additions.set(accountKeyText(key), known)
    return known
  }
  const hear = (key: AccountKey, platform: string): void => {
    const before = told.get(accountKeyText(key))
    if (before !== undefined && before !== platform)
      violations.push(`I1: ${key.externalAccountNumber} is told as ${before} and as ${platform}`)
    keys.set(accountKeyText(key), key)
    told.set(accountKeyText(key), platform)
  }
  return {
    keys,
    told,
    violations,
    hear,
    counts: { requests: 0, acknowledged: 0, unanswered: 0 },
    payloadsOf: (key) => payloads.get(accountKeyText(key)) ?? [],
    additionsTo: (key) => {
      const inState = (wanted: string) =>
        [...statesOf(key)].flatMap(([addition, state]) => (state === wanted ? [addition] : []))
      return { settled: inState('settled'), unanswered: inState('unanswered') }
    },
    stage: (key, payload) => {
      const text = accountKeyText(key)
      keys.set(text, key)
      payloads.set(text, [...(payloads.get(text) ?? []), payload])
    },
    stagingsOf: (key) => stagings.get(accountKeyText(key)) ?? 0,
    staged: (key) => void stagings.set(accountKeyText(key), (stagings.get(accountKeyText(key)) ?? 0) + 1),
    created: (key, platform) => {
      if (created.has(accountKeyText(key)))
        violations.push(`I1: ${key.externalAccountNumber} was created twice`)
      created.add(accountKeyText(key))
      hear(key, platform)
    },
    add: (addition) => void statesOf(addition.key).set(addition, 'unanswered'),
    settle: (addition) => void statesOf(addition.key).set(addition, 'settled'),
  }
}
