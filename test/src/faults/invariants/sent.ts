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
export type Sent = Readonly<{
  keys: ReadonlyMap<string, AccountKey>
  /** Every payload that was sent to be staged. */
  payloadsOf(key: AccountKey): readonly unknown[]
  additionsTo(
    key: AccountKey,
  ): Readonly<{ settled: readonly SentAddition[]; unanswered: readonly SentAddition[] }>
  /** The number that somebody was told once the account was created. */
  told: Map<string, string>
  stage(key: AccountKey, payload: unknown): void
  /** To be called before it is sent. */
  add(addition: SentAddition): void
  /** It was answered as added. */
  settle(addition: SentAddition): void
}>

/** `keys` are those that something is known of though nothing was staged. */
export const nothingSent = (others: readonly AccountKey[] = []): Sent => {
  const keys = new Map(others.map((key) => [accountKeyText(key), key]))
  const payloads = new Map<string, unknown[]>()
  const additions = new Map<string, Map<SentAddition, 'sent' | 'settled'>>()
  const statesOf = (key: AccountKey) => {
    const known = additions.get(accountKeyText(key)) ?? new Map<SentAddition, 'sent' | 'settled'>()
    additions.set(accountKeyText(key), known)
    return known
  }
  return {
    keys,
    told: new Map(),
    payloadsOf: (key) => payloads.get(accountKeyText(key)) ?? [],
    additionsTo: (key) => {
      const inState = (wanted: string) =>
        [...statesOf(key)].flatMap(([addition, state]) => (state === wanted ? [addition] : []))
      return { settled: inState('settled'), unanswered: inState('sent') }
    },
    stage: (key, payload) => {
      keys.set(accountKeyText(key), key)
      payloads.set(accountKeyText(key), [...(payloads.get(accountKeyText(key)) ?? []), payload])
    },
    add: (addition) => void statesOf(addition.key).set(addition, 'sent'),
    settle: (addition) => void statesOf(addition.key).set(addition, 'settled'),
  }
}
