import type { PlainResult } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import { newAccount, newNumbers, nobody } from '../../use-cases/support/plain-calls.js'
import type { PlainWorld } from '../../use-cases/support/plain-world.js'
import { gasKey, sample } from '../../use-cases/support/service.js'
import { emptyTally, type SentAddition, type Tally } from '../loads/tally.js'
import { movedNote, movedTransactions } from './more-calls.js'

type Items = readonly Readonly<Record<string, unknown>>[]

const itemsIn = (name: string, list: string): Items => sample(name)[list] as Items

const transactions = itemsIn('transactions', 'transactions')

const cents = transactions.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0)

const adding = (items: readonly string[], sum = 0): SentAddition => ({
  key: gasKey,
  items,
  cents: BigInt(sum),
})

/** What the use cases that add data to accounts are called with, by the name of the use case. */
const additions = new Map<string, SentAddition>([
  ['addNotes', adding(itemsIn('notes', 'notes').map(({ body }) => `note ${String(body)}`))],
  [
    'addTransactions',
    adding(
      transactions.map(({ transaction_id }) => `transaction ${String(transaction_id)}`),
      cents,
    ),
  ],
  [
    'addHistoricalStatements',
    adding(
      itemsIn('historical-statements', 'statements').map(
        ({ statement_id }) => `statement ${String(statement_id)}`,
      ),
    ),
  ],
  [
    'addTransactions, moved',
    adding(
      [...movedTransactions.map(({ transaction_id: id }) => `transaction ${id}`), `note ${movedNote}`],
      200,
    ),
  ],
  ['addPaymentInstruction', adding([`instruction ${String(sample('payment-instruction')['reference'])}`])],
])

/** What is sent in a world by one of the plain calls, and what its answers say is there from then on. */
export type SentBy = Readonly<{
  tally: Tally
  /** `undefined`: no answer came. */
  note(result: PlainResult<unknown, unknown> | undefined): void
}>

export const sentBy = async ({ ports }: PlainWorld, name: string): Promise<SentBy> => {
  const tally = emptyTally([nobody])
  const created = await answer(ports.accounts.find(gasKey))
  tally.told.set(accountKeyText(gasKey), String(created?.platformAccountNumber))
  tally.stage(gasKey, sample('gas-account'))
  const keyOf = (externalAccountNumber: string) => ({ ...gasKey, externalAccountNumber })
  // The call may be made so often.
  for (let times = 0; times < 4; times += 1)
    for (const number of newNumbers) tally.stage(keyOf(number), newAccount(number))
  const addition = additions.get(name)
  if (addition !== undefined) tally.add(addition)
  const note = (result: PlainResult<unknown, unknown> | undefined): void => {
    tally.counts.requests += 1
    if (result?.ok !== true) return
    tally.counts.acknowledged += 1
    if (addition !== undefined) tally.settle(addition)
    const { value } = result
    if (name === 'processAccount' && typeof value === 'object' && value !== null)
      if ('platformAccountNumber' in value)
        tally.told.set(accountKeyText(keyOf('NEW')), String(value.platformAccountNumber))
  }
  return { tally, note }
}
