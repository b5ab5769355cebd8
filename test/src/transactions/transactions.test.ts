import {
  builtInSettings,
  type FieldError,
  type LocalDate,
  type TransactionOptions,
  type TransactionToAdd,
} from '@account-import/core'
import { E } from '@account-import/core/fp'
import { transactionsRequest } from '@account-import/core/payloads'
import {
  check,
  decideTransactions,
  type Move,
  movedNoteBody,
  openStatementPeriod,
  type TransactionFacts,
  type TransactionsDecision,
  transactionsRequestRules,
} from '@account-import/core/testing'
import test from 'ava'
import { sample } from '../support/samples.js'

/** The day on which the cases are validated. */
const today = '2025-09-01' as LocalDate

const day = (text: string): LocalDate => text as LocalDate

/** A ledger that was closed on a day, or never. */
const ledger = (ledgerCode: string, closed?: string): TransactionFacts['ledgers'][number] => ({
  ledgerCode,
  lastStatementClosingDate: closed === undefined ? undefined : day(closed),
})

/** An account whose first ledger is open since 2025-05-01, its second since 2025-07-01. */
const facts = (changed: Partial<TransactionFacts> = {}): TransactionFacts => ({
  ledgers: [ledger('GAS', '2025-04-30'), ledger('POWER', '2025-06-30')],
  firstDay: day('2024-01-01'),
  timesAdded: new Map(),
  ...changed,
})

/** A transaction of 2025-08-01, in both periods. */
const aTransaction = (id: string, changed: object = {}): TransactionToAdd => ({
  transaction_id: id,
  transaction_date: day('2025-08-01'),
  amount: 10,
  type: 'CREDIT',
  reason: 'R',
  ...changed,
})

const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`

const validate = (transactions: unknown, others: object = {}, day: LocalDate = today) => {
  const payload = { import_supplier: 'S', external_account_number: 'A-1', transactions, ...others }
  const context = { settings: builtInSettings, defaultCountry: 'ES', today: day }
  const checked = check(transactionsRequest, payload, context, [], transactionsRequestRules)
  return {
    errors: E.isLeft(checked) ? checked.left.errors.map(inShort) : [],
    warnings: (E.isLeft(checked) ? checked.left : checked.right).warnings.map(inShort),
  }
}

const clean = { errors: [], warnings: [] }

test('the sample request has no errors and no warnings', (t) => {
  const { transactions, ...others } = sample('transactions.json')
  t.deepEqual(validate(transactions, others), clean)
})

test('an empty list, repeated ids and dates in the future are accepted', (t) => {
  t.deepEqual(validate([]), clean)
  t.deepEqual(validate([aTransaction('A'), aTransaction('A')]), clean)
  t.deepEqual(validate([aTransaction('A', { transaction_date: '2099-01-01' })]), clean)
})

test('the fields of the request, and of each transaction, are validated by the tables in one answer', (t) => {
  const { errors, warnings } = validate(
    [
      { ...aTransaction('A'), amount: 1.234, ledger_code: ' ' },
      { ...aTransaction('B'), type: 'OTHER', display_note: null, ledger_code: 'x'.repeat(129) },
      {},
    ],
    { import_supplier: 7, external_account_number: undefined, extra: 1 },
  )
  t.deepEqual(errors, [
    'import_supplier invalid',
    'external_account_number required',
    'transactions.0.amount max_decimal_places',
    'transactions.0.ledger_code blank',
    'transactions.1.type invalid_choice',
    'transactions.1.display_note null',
    'transactions.1.ledger_code max_length',
    'transactions.2.transaction_id required',
    'transactions.2.transaction_date required',
    'transactions.2.amount required',
    'transactions.2.type required',
  ])
  t.deepEqual(warnings, ['extra unknown_field'])
  t.deepEqual(validate(undefined).errors, ['transactions required'])
  t.deepEqual(validate({}).errors, ['transactions not_a_list'])
})

test('the rules over several fields of a transaction apply to the request too', (t) => {
  const { errors, warnings } = validate([
    aTransaction('A', { type: 'SUPPLY_CHARGE' }),
    aTransaction('B', { type: 'SUPPLY_CHARGE', product_code: 'P', line_items: [] }),
    { ...aTransaction('C'), reason: undefined },
    aTransaction('D', { type: 'PAYMENT', amount: 0 }),
    aTransaction('E', {
      amount: 5,
      line_items: [
        {
          start_date: '2025-02-01',
          end_date: '2025-01-31',
          number_of_units: 2,
          price_per_unit: 3,
          net_amount: 4,
          units: [1],
        },
      ],
    }),
  ])
  t.deepEqual(errors, [
    'transactions.0.product_code required',
    'transactions.0.line_items required',
    'transactions.1.line_items empty',
    'transactions.4.line_items.0.end_date start_date_later_than_end_date',
  ])
  t.deepEqual(warnings, [
    'transactions.2.reason transaction_reason_missing',
    'transactions.3.amount non_positive_payment_amount',
    'transactions.4.amount ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    'transactions.4.line_items.0.net_amount incorrect_line_item_net_amount',
    'transactions.4.line_items.0.units line_item_units_must_be_two_values',
  ])
})

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

test('a transaction inside the period is kept as sent, with its amount as text with two places', (t) => {
  const sent = aTransaction('A', { amount: '-7.5', line_items: [], note: 'n' })
  const decision = decide([sent])
  t.deepEqual(decision.results, [{ status: added, transaction_data: { ...sent, amount: '-7.50' as never } }])
  t.deepEqual<unknown, unknown>(decision.added, [
    { ledger: 0, copy: 0, transaction: { ...sent, amount: '-7.50', tax_items: [] } },
  ])
  t.deepEqual(decision.moves, [])
})

test('a date before the period becomes its first day and a date after it its last, and the note has the original', (t) => {
  for (const [date, moved] of [
    ['2025-04-30', '2025-05-01'],
    ['2025-05-01', undefined],
    ['2025-09-01', undefined],
    ['2025-09-02', '2025-09-01'],
    ['9999-12-31', '2025-09-01'],
  ] as const) {
    const { results, moves } = decide([aTransaction('A', { transaction_date: date })])
    const { transaction_date, display_note } = results[0]?.transaction_data ?? {}
    t.is<unknown, unknown>(transaction_date, moved ?? date)
    const sentence = `This transaction was dated ${date} and has been moved into the open statement period.`
    t.is(display_note, moved && sentence)
    const move = { transactionId: 'A', copy: 0, ledgerCode: 'GAS', from: date, to: moved }
    t.deepEqual<unknown, unknown>(moves, moved === undefined ? [] : [move])
  }
})

test('a display note keeps its earlier text to the letter, at any length, and the fields their order', (t) => {
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

test('a transaction without a ledger code belongs to the first ledger, one with a code to that ledger and its period', (t) => {
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

test('an unknown ledger code refuses the whole request, at each transaction with it', (t) => {
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

test('an account without ledgers accepts transactions from its first day of supply', (t) => {
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

test('an earlier transaction is skipped before its date is checked, and returned as sent', (t) => {
  const sent = [aTransaction('A', { transaction_date: '2020-01-01' }), aTransaction('B')]
  const known = facts({ timesAdded: new Map(Object.entries({ A: 1, Z: 1 })) })
  const decision = decide(sent, known, { forceAddToCurrentStatement: false })
  t.deepEqual(statuses(decision), [exists, added])
  t.is<unknown, unknown>(decision.results[0]?.transaction_data.transaction_date, '2020-01-01')
  t.is(decision.results[0]?.transaction_data.display_note, undefined)
})

test('the second transaction with one id is treated as added before, and ids are compared exactly', (t) => {
  const sent = ['A', 'A', 'a', 'A '].map((id) => aTransaction(id))
  t.deepEqual(statuses(decide(sent)), [added, exists, added, added])
})

test('everything is added again without the check, within a request too', (t) => {
  const sent = [aTransaction('A'), aTransaction('A'), aTransaction('B')]
  const timesAdded = new Map(Object.entries({ A: 2, B: 1 }))
  const decision = decide(sent, facts({ timesAdded }), { checkPreviouslyAdded: false })
  t.deepEqual(statuses(decision), [added, added, added])
  t.deepEqual(
    decision.added.map(({ copy }) => copy),
    [2, 3, 1],
    'each copy has a number of its own',
  )
})

test('the first transaction outside the period ends the request with force off, and earlier ones are kept', (t) => {
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

const period = (closed: string | undefined, firstDay = '2024-02-01'): readonly string[] => {
  const { first, last } = openStatementPeriod(ledger('L', closed), day(firstDay), today)
  return [first, last]
}

test('the open period runs from the day after the last closing date up to today', (t) => {
  t.deepEqual(period('2025-04-30'), ['2025-05-01', '2025-09-01'])
  t.deepEqual(period('2024-02-28'), ['2024-02-29', '2025-09-01'])
  t.deepEqual(period('2023-12-31'), ['2024-01-01', '2025-09-01'])
  t.deepEqual(period('2025-08-31'), ['2025-09-01', '2025-09-01'])
})

test('a ledger that was never closed is open from the first day of supply', (t) => {
  t.deepEqual(period(undefined), ['2024-02-01', '2025-09-01'])
  t.deepEqual(openStatementPeriod(undefined, day('2024-02-01'), today), {
    first: day('2024-02-01'),
    last: today,
  })
})

test('a period that would begin after today is one day', (t) => {
  t.deepEqual(period('2025-09-01'), ['2025-09-02', '2025-09-02'])
  t.deepEqual(period('2026-01-31'), ['2026-02-01', '2026-02-01'])
  t.deepEqual(period(undefined, '2025-10-01'), ['2025-10-01', '2025-10-01'])
  t.deepEqual(period('9999-12-31'), ['9999-12-31', '9999-12-31'], 'the last day that a date can name')
})

const move = (transactionId: string, ledgerCode?: string): Move => ({
  transactionId,
  copy: 0,
  ledgerCode,
  from: day('2025-01-31'),
  to: day('2025-05-01'),
})

test('the note lists moved transactions with both days', (t) => {
  t.is(
    movedNoteBody([move('A', 'GAS'), move('B')]),
    [
      '2 imported transactions were dated outside the open statement period and have been moved into it:',
      '- A: 2025-01-31 → 2025-05-01, ledger GAS',
      '- B: 2025-01-31 → 2025-05-01',
    ].join('\n'),
  )
  t.regex(movedNoteBody([move('A')]), /^One imported transaction was /)
})

test('the note distinguishes copies of one transaction', (t) => {
  t.regex(movedNoteBody([{ ...move('A', 'GAS'), copy: 2 }]), /, ledger GAS, added again, copy 3$/)
})

test('the note counts the transactions that it does not list, and fits into the body of a note', (t) => {
  const short = movedNoteBody(Array.from({ length: 10_000 }, (_, index) => move(`T-${index}`, 'GAS')))
  const listed = short.split('\n').length - 2
  t.true(listed > 300)
  t.true(short.endsWith(`\n- and ${10_000 - listed} more`))
  const longest = movedNoteBody(Array.from({ length: 10_000 }, () => move('€'.repeat(255), '€'.repeat(128))))
  t.true(Buffer.byteLength(longest, 'utf8') <= 65_536)
  t.true(longest.split('\n').length > 10)
})
