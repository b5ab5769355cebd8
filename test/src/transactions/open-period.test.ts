import { movedNoteBody, openStatementPeriod, type Move } from '@account-import/core/testing'
import test from 'ava'
import { day, ledger, today } from './support/facts.js'

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

test('a ledger that was never closed is open from the first day of supply on', (t) => {
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

test('the note lists what was moved, from which day to which', (t) => {
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

test('the note tells copies of one transaction apart', (t) => {
  t.regex(movedNoteBody([{ ...move('A', 'GAS'), copy: 2 }]), /, ledger GAS, added again, copy 3$/)
})

test('the note says how many it does not list, and stays within the body of a note however many there are', (t) => {
  const short = movedNoteBody(Array.from({ length: 10_000 }, (_, index) => move(`T-${index}`, 'GAS')))
  const listed = short.split('\n').length - 2
  t.true(listed > 300)
  t.true(short.endsWith(`\n- and ${10_000 - listed} more`))
  const longest = movedNoteBody(Array.from({ length: 10_000 }, () => move('€'.repeat(255), '€'.repeat(128))))
  t.true(Buffer.byteLength(longest, 'utf8') <= 65_536)
  t.true(longest.split('\n').length > 10)
})
