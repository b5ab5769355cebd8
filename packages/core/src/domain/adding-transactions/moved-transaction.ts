import { transactionToAdd, type TransactionToAdd } from '../../payloads/transactions-request.js'
import type { LocalDate } from '../../values/local-date.js'

const sentence = (original: string): string =>
  `This transaction was dated ${original} and has been moved into the open statement period.`

/** Apart from what was there by one white space; what was there is kept to the letter. */
const withSentence = (text: string, added: string): string => {
  if (text.trim() === '') return added
  return /\s$/.test(text) ? text + added : `${text} ${added}`
}

const names = Object.keys(transactionToAdd.fields) as (keyof TransactionToAdd)[]

const inTableOrder = (transaction: TransactionToAdd): TransactionToAdd =>
  Object.fromEntries(
    names.filter((name) => transaction[name] !== undefined).map((name) => [name, transaction[name]]),
  ) as TransactionToAdd

/**
 * The transaction on another day, with one sentence for the customer that names the day it had. The text may become
 * longer by that sentence than what may be sent: nothing of it is cut.
 */
export const movedTransaction = (sent: TransactionToAdd, day: LocalDate): TransactionToAdd =>
  inTableOrder({
    ...sent,
    transaction_date: day,
    display_note: withSentence(sent.display_note ?? '', sentence(sent.transaction_date)),
  })
