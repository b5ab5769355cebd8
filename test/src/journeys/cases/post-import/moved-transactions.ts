import { answer } from '../../../support/answers.js'
import type { Journey } from '../../support/journey.js'
import { failureOf, inShort } from '../../../support/results.js'
import {
  added,
  createdAccount,
  currentIds,
  exists,
  number,
  post,
  send,
  statuses,
  stored,
  transaction,
} from '../../support/transactions.js'

const moved: Journey = {
  title:
    'a date outside the open period is moved into it: said in the echo, the display note and one pinned note',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const notesBefore = (await stored(world)).notes
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Madrid' }).format(
      Date.parse(world.clock.now()),
    )
    const sent = [
      transaction('OLD', { transaction_date: '2025-03-31', display_note: 'Abono' }),
      transaction('IN'),
      transaction('NEW', { transaction_date: '9999-12-31', note: 'internal' }),
    ]
    const results = await send(world, sent)
    const sentence = (date: string) =>
      `This transaction was dated ${date} and has been moved into the open statement period.`
    t.deepEqual<unknown, unknown>(
      results.map(({ transaction_data }) => transaction_data),
      [
        {
          ...sent[0],
          transaction_date: '2025-04-01',
          amount: '10.00',
          display_note: `Abono ${sentence('2025-03-31')}`,
        },
        { ...sent[1], amount: '10.00' },
        { ...sent[2], transaction_date: today, amount: '10.00', display_note: sentence('9999-12-31') },
      ],
    )
    t.deepEqual(Object.keys(results[2]?.transaction_data ?? {}).slice(-2), ['display_note', 'note'])
    const { ledgers, notes } = await stored(world)
    t.deepEqual<unknown, unknown>(
      ledgers[0]?.current_statement_transactions.slice(-3).map((each) => each.display_note),
      [`Abono ${sentence('2025-03-31')}`, undefined, sentence('9999-12-31')],
    )
    const [pinned, ...others] = notes.slice(notesBefore.length)
    t.deepEqual(others, [])
    t.true(pinned?.is_pinned)
    const code = ledgers[0]?.ledger_code
    t.deepEqual(pinned?.body?.split('\n'), [
      '2 imported transactions were dated outside the open statement period and have been moved into it:',
      `- OLD: 2025-03-31 → 2025-04-01, ledger ${code}`,
      `- NEW: 9999-12-31 → ${today}, ledger ${code}`,
    ])
    t.deepEqual(statuses(await send(world, sent)), [exists, exists, exists])
    t.is((await stored(world)).notes.length, notes.length, 'nothing was moved, so nothing is pinned')
    await send(world, sent, { checkPreviouslyAdded: false })
    const last = (await stored(world)).notes.at(-1)
    t.regex(last?.body ?? '', /- OLD: .*, added again, copy 2\n/)
    t.is((await stored(world)).notes.length, notes.length + 1)
  },
}

const forceOff: Journey = {
  title:
    'with force off the first transaction outside the period ends the request, and those before it are kept',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const [before, { notes }] = [await currentIds(world), await stored(world)]
    const outside = transaction('C', {
      transaction_date: '2025-03-31',
      amount: '3.5',
      display_note: 'as sent',
    })
    const sent = [
      transaction('A'),
      transaction('B'),
      outside,
      transaction('D'),
      { ...outside, transaction_id: 'E' },
    ]
    const options = { forceAddToCurrentStatement: false }
    const { status, problem } = failureOf(await post(world, sent, options))
    t.is(status, 400)
    const code = 'transaction_outside_open_statement_period'
    const text =
      'The transaction date lies outside the open statement period. Correct it, or allow the date to be moved.'
    t.deepEqual<unknown, unknown>(problem, {
      detail: text,
      code,
      errors: [],
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: text,
      transaction_data: { ...outside, amount: '3.50' },
    })
    t.deepEqual(await currentIds(world), [...before, 'A', 'B'])
    t.deepEqual((await stored(world)).notes, notes, 'nothing was moved')
    const corrected = sent.map((each) => ({ ...each, transaction_date: '2025-06-01' }))
    t.deepEqual(statuses(await send(world, corrected, options)), [exists, exists, added, added, added])
    t.is(
      inShort(await post(world, [outside], options)),
      '201',
      'what was added before is not validated again',
    )
  },
}

const twoLedgers: Journey = {
  title:
    'a ledger code chooses the ledger and its period; without one the first ledger of the payload is meant',
  run: async (t, open) => {
    const world = await open()
    const ledgers = [
      { ledger_code: 'POWER', last_statement_closing_date: '2025-06-30' },
      { ledger_code: 'GAS', last_statement_closing_date: '2025-03-31' },
      { ledger_code: 'NEVER_CLOSED' },
    ]
    await createdAccount(world, { ledgers })
    const dated = (id: string, ledger_code?: string) =>
      transaction(id, { transaction_date: '2025-04-15', ...(ledger_code !== undefined && { ledger_code }) })
    const results = await send(world, [
      dated('A'),
      dated('B', 'GAS'),
      dated('C', 'NEVER_CLOSED'),
      dated('D', 'POWER'),
    ])
    t.deepEqual<unknown, unknown>(
      results.map(({ transaction_data }) => [
        transaction_data.transaction_date,
        transaction_data.ledger_code,
      ]),
      [
        ['2025-07-01', undefined],
        ['2025-04-15', 'GAS'],
        ['2025-04-15', 'NEVER_CLOSED'],
        ['2025-07-01', 'POWER'],
      ],
    )
    const details = await stored(world)
    t.deepEqual(
      details.ledgers.map((ledger) =>
        ledger.current_statement_transactions.map((each) => each.transaction_id),
      ),
      [['A', 'D'], ['B'], ['C']],
    )
    const before = await stored(world)
    const { status, problem } = failureOf(
      await post(world, [dated('E'), dated('F', 'gas'), dated('G', 'GAS'), dated('H', 'GAS ')]),
    )
    t.deepEqual([status, problem.code], [400, 'request_failed_validation'])
    t.deepEqual(
      problem.errors.map(({ attr, code }) => `${attr} ${code}`),
      [
        'transactions.1.ledger_code ledger_code_does_not_exist',
        'transactions.3.ledger_code ledger_code_does_not_exist',
      ],
    )
    t.deepEqual(await stored(world), before, 'the whole request is refused first')
  },
}

const noLedgers: Journey = {
  title:
    'an account without ledgers keeps its transactions; its period begins with the supply, or its creation',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world, { ledgers: [], supply_addresses: [] })
    const created = await answer(world.stores.accounts.find(world.key(number)))
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Madrid' }).format(
      Date.parse(created?.createdAt ?? ''),
    )
    const [result] = await send(world, [transaction('A')])
    t.is<unknown, unknown>(result?.transaction_data.transaction_date, day)
    const { transactions_without_ledger, notes } = await stored(world)
    t.deepEqual(
      transactions_without_ledger.map(({ transaction_id }) => transaction_id),
      ['A'],
    )
    t.is(notes.at(-1)?.body?.split('\n')[1], `- A: 2025-06-01 → ${day}`)
    t.deepEqual(statuses(await send(world, [transaction('A'), transaction('B')])), [exists, added])
  },
}

/** The open statement period, and what becomes of transactions outside of it. */
export const movedTransactionJourneys: readonly Journey[] = [moved, forceOff, twoLedgers, noLedgers]
