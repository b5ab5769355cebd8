import { transactionToAdd, type TransactionToAdd } from '../../payloads/transactions-request.js'
import type { LocalDate } from '../../values/local-date.js'

const sentence = (original: string): string =>
  `This transaction was dated ${original} and has been moved into the open statement period.`

/** Adds a sentence to a text that is kept as it is, with one space between them. */
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
 * The transaction on another day, with one sentence for the customer that names the day it had. Nothing of the text
 * is cut, though the sentence can make it longer than clients may send it.
 */
export const movedTransaction = (sent: TransactionToAdd, day: LocalDate): TransactionToAdd =>
  inTableOrder({
    ...sent,
    transaction_date: day,
    display_note: withSentence(sent.display_note ?? '', sentence(sent.transaction_date)),
  })
