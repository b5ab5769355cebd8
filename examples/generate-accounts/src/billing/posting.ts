import type { Transaction } from '../bill.js'

/** A transaction on a day, without its id; `effect` is its change of the balance, in cents. */
export type Posting = Readonly<{
  day: number
  effect: number
  transaction: Omit<Transaction, 'transaction_id'>
}>

/** Sorts by day; postings of one day keep their order. */
export const inOrder = (postings: readonly Posting[]): readonly Posting[] =>
  [...postings].sort((left, right) => left.day - right.day)
