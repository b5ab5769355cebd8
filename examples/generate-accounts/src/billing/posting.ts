import type { Transaction } from '../bill.js'

/** A transaction on a day, without its id; `effect` is what it adds to the balance, in cents. */
export type Posting = Readonly<{
  day: number
  effect: number
  transaction: Omit<Transaction, 'transaction_id'>
}>

/** By day; postings of one day stay in their order. */
export const inOrder = (postings: readonly Posting[]): readonly Posting[] =>
  [...postings].sort((left, right) => left.day - right.day)
