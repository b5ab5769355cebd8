import type { TransactionOptions, TransactionToAdd } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import {
  decideTransactions,
  type TransactionFacts,
  type TransactionsDecision,
} from '@account-import/core/testing'
import test from 'ava'
import { aTransaction, facts, today } from './support/facts.js'

const defaults: TransactionOptions = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true }

const decide = (
  sent: readonly TransactionToAdd[],
  account: TransactionFacts = facts(),
  options: Partial<TransactionOptions> = {},
): TransactionsDecision => {
  const decided = decideTransactions(sent, account, { ...defaults, ...options }, today)
  if (E.isLeft(decided)) throw new Error(`unknown ledgers at ${decided.left.join()}`)
  return decided.right
}

const statuses = ({ results }: TransactionsDecision): readonly string[] => results.map(({ status }) => status)
const added = 'TRANSACTION_ADDED_TO_ACCOUNT'
const exists = 'TRANSACTION_ALREADY_EXISTS'

test('a transaction inside the period is kept as sent, its amount as text with two places', (t) => {
  const sent = aTransaction('A', { amount: '-7.5', line_items: [], note: 'n' })
  const decision = decide([sent])
  t.deepEqual(decision.results, [{ status: added, transaction_data: { ...sent, amount: '-7.50' as never } }])
  t.deepEqual<unknown, unknown>(decision.added, [
    { ledger: 0, copy: 0, transaction: { ...sent, amount: '-7.50', tax_items: [] } },
  ])
  t.deepEqual(decision.moves, [])
})

test('first and last day of the period belong to it', (t) => {
  const sent = ['2025-05-01', '2025-09-01'].map((date) => aTransaction(date, { transaction_date: date }))
  t.deepEqual(decide(sent).moves, [])
})

test('a date before the period becomes its first day, a date after it its last, the original is named', (t) => {
  const sent = ['2025-04-30', '2025-09-02', '9999-12-31'].map((date) =>
    aTransaction(date, { transaction_date: date }),
  )
  const { results, moves } = decide(sent)
  t.deepEqual(
    results.map(({ transaction_data: { transaction_date, display_note } }) => [
      transaction_date,
      display_note,
    ]),
    [
      [
        '2025-05-01',
        'This transaction was dated 2025-04-30 and has been moved into the open statement period.',
      ],
      [
        '2025-09-01',
        'This transaction was dated 2025-09-02 and has been moved into the open statement period.',
      ],
      [
        '2025-09-01',
        'This transaction was dated 9999-12-31 and has been moved into the open statement period.',
      ],
    ],
  )
  t.deepEqual<unknown, unknown>(moves[0], {
    transactionId: '2025-04-30',
    copy: 0,
    ledgerCode: 'GAS',
    from: '2025-04-30',
    to: '2025-05-01',
  })
})

test('a display note keeps what was there to the letter, whatever its length, and the fields their order', (t) => {
  const moved = (display_note: string) => {
    const [result] = decide([
      aTransaction('A', { transaction_date: '2020-01-01', note: 'n', product_code: 'P', display_note }),
    ]).results
    return result?.transaction_data
  }
  const sentence = 'This transaction was dated 2020-01-01 and has been moved into the open statement period.'
  t.is(moved('Envío en papel')?.display_note, `Envío en papel ${sentence}`)
  t.is(moved('two\nlines\n')?.display_note, `two\nlines\n${sentence}`)
  t.is(moved(' \n')?.display_note, sentence)
  const longest = 'ñ'.repeat(32_768)
  t.is(moved(longest)?.display_note, `${longest} ${sentence}`)
  t.deepEqual(Object.keys(moved('x') ?? {}), [
    'transaction_id',
    'transaction_date',
    'amount',
    'type',
    'reason',
    'display_note',
    'note',
    'product_code',
  ])
})

test('without a ledger code the first ledger is meant, with one the ledger of that code and its period', (t) => {
  const sent = [
    aTransaction('A', { transaction_date: '2025-06-15' }),
    aTransaction('B', { transaction_date: '2025-06-15', ledger_code: 'POWER' }),
  ]
  const { added: rows, results, moves } = decide(sent)
  t.deepEqual(
    rows.map(({ ledger }) => ledger),
    [0, 1],
  )
  t.deepEqual<unknown, unknown>(
    moves.map(({ transactionId, to }) => [transactionId, to]),
    [['B', '2025-07-01']],
  )
  t.is(results[1]?.transaction_data.ledger_code, 'POWER')
  t.false('ledger_code' in (rows[1]?.transaction ?? {}), 'the ledger tells it')
})

test('a ledger code that the account does not have refuses the whole request, at each of them', (t) => {
  const sent = [
    aTransaction('A'),
    aTransaction('B', { ledger_code: 'gas' }),
    aTransaction('C', { ledger_code: 'GAS' }),
    aTransaction('D', { ledger_code: 'POWER ' }),
  ]
  t.deepEqual(decideTransactions(sent, facts(), defaults, today), E.left([1, 3]))
  t.deepEqual(
    decideTransactions([aTransaction('A', { ledger_code: 'GAS' })], facts({ ledgers: [] }), defaults, today),
    E.left([0]),
  )
})

test('an account without ledgers takes transactions, from the first day of its supply on', (t) => {
  const sent = [aTransaction('A'), aTransaction('B', { transaction_date: '2023-12-31' })]
  const { added: rows, moves } = decide(sent, facts({ ledgers: [] }))
  t.deepEqual(
    rows.map(({ ledger }) => ledger),
    [undefined, undefined],
  )
  t.deepEqual<unknown, unknown>(moves, [
    { transactionId: 'B', copy: 0, ledgerCode: undefined, from: '2023-12-31', to: '2024-01-01' },
  ])
})

test('what was added before is passed over, before its date is looked at, and shown as sent', (t) => {
  const sent = [aTransaction('A', { transaction_date: '2020-01-01' }), aTransaction('B')]
  const known = facts({
    timesAdded: new Map([
      ['A', 1],
      ['Z', 1],
    ]),
  })
  const decision = decide(sent, known, { forceAddToCurrentStatement: false })
  t.deepEqual(statuses(decision), [exists, added])
  t.is<unknown, unknown>(decision.results[0]?.transaction_data.transaction_date, '2020-01-01')
  t.is(decision.results[0]?.transaction_data.display_note, undefined)
})

test('of two transactions with one id the second is validated like any added before; ids are compared exactly', (t) => {
  const sent = ['A', 'A', 'a', 'A '].map((id) => aTransaction(id))
  t.deepEqual(statuses(decide(sent)), [added, exists, added, added])
})

test('without the check everything is added again, within a request too', (t) => {
  const sent = [aTransaction('A'), aTransaction('A'), aTransaction('B')]
  const decision = decide(
    sent,
    facts({
      timesAdded: new Map([
        ['A', 2],
        ['B', 1],
      ]),
    }),
    { checkPreviouslyAdded: false },
  )
  t.deepEqual(statuses(decision), [added, added, added])
  t.deepEqual(
    decision.added.map(({ copy }) => copy),
    [2, 3, 1],
    'each copy has a number of its own',
  )
})

test('with force off the first transaction outside ends the request; those before it are kept, none after it', (t) => {
  const sent = [
    aTransaction('A'),
    aTransaction('B', { transaction_date: '2025-09-02', display_note: 'as sent' }),
    aTransaction('C'),
  ]
  const decision = decide(sent, facts(), { forceAddToCurrentStatement: false })
  t.deepEqual(statuses(decision), [added])
  t.deepEqual(
    decision.added.map(({ transaction }) => transaction.transaction_id),
    ['A'],
  )
  t.deepEqual<unknown, unknown>(decision.failed, { ...sent[1], amount: '10.00' })
  t.deepEqual(decision.moves, [])
})

test('an empty request adds nothing', (t) => {
  t.deepEqual(decide([]), { results: [], added: [], moves: [], failed: undefined })
})
