import { additionTo } from '../../support/additions.js'
import type { Journey } from '../../support/journey.js'
import { successOf } from '../../../support/results.js'
import { sample, type JsonObject } from '../../../support/samples.js'
import { tokenOf } from '../../support/token-of.js'
import {
  added,
  createdAccount,
  currentIds,
  exists,
  number,
  send,
  statuses,
  stored,
  transaction,
} from '../../support/transactions.js'

const sampleTwice: Journey = {
  title:
    'the sample transactions are added once, echoed with amounts of two places, and the second time exist',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier } = world
    await createdAccount(world)
    const before = await stored(world)
    const request = additionTo('transactions.json', supplier, number)
    const sent = sample('transactions.json')['transactions'] as readonly JsonObject[]
    const echo = sent.map((each) => ({ ...each, amount: Number(each['amount']).toFixed(2) }))
    const first = successOf(await client.addTransactions(request))
    t.deepEqual([first.status, first.warningsTotal], [201, 0])
    t.deepEqual<unknown, unknown>(
      first.body.results,
      echo.map((transaction_data) => ({ status: added, transaction_data })),
    )
    const after = await stored(world)
    const [ledger] = before.ledgers
    t.deepEqual<unknown, unknown>(after.ledgers[0]?.current_statement_transactions, [
      ...(ledger?.current_statement_transactions ?? []),
      ...echo.map((each) => ({ line_items: [], tax_items: [], ...each })),
    ])
    t.deepEqual(
      { ...after, ledgers: [] },
      { ...before, ledgers: [] },
      'nothing else has changed: no note, no balance',
    )
    t.is(after.ledgers[0]?.ledger_balance, ledger?.ledger_balance)
    const second = successOf(await client.addTransactions(request))
    t.deepEqual<unknown, unknown>(
      second.body.results,
      echo.map((transaction_data) => ({ status: exists, transaction_data })),
    )
    t.deepEqual(await stored(world), after)
  },
}

const ofThePayload: Journey = {
  title: 'transactions of the account payload count as added; ids are compared exactly',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const { ledgers } = await stored(world)
    const ids = [
      ledgers[0]?.current_statement_transactions[0]?.transaction_id,
      ledgers[0]?.historical_statement_transactions[0]?.transaction_id,
    ].filter((id) => id !== undefined)
    t.is(ids.length, 2, 'the sample has both kinds')
    const sent = [...ids, `${ids[0]} `, ids[0]?.toLowerCase() ?? '', 'N', 'N'].map((id) => transaction(id))
    t.deepEqual(statuses(await send(world, sent)), [exists, exists, added, added, added, exists])
    t.deepEqual(statuses(await send(world, [])), [])
  },
}

const addedAgain: Journey = {
  title: 'without the check transactions are added again, each time, and the check knows them all the same',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const before = await currentIds(world)
    await send(world, [transaction('A')])
    const again = [transaction('A', { amount: 7 }), transaction('B'), transaction('A')]
    t.deepEqual(statuses(await send(world, again, { checkPreviouslyAdded: false })), [added, added, added])
    t.deepEqual(statuses(await send(world, again, { checkPreviouslyAdded: false })), [added, added, added])
    t.deepEqual(await currentIds(world), [...before, 'A', 'A', 'B', 'A', 'A', 'B', 'A'])
    t.deepEqual(statuses(await send(world, again)), [exists, exists, exists])
  },
}

const parameters: Journey = {
  title: 'query parameters are true or false in any case; anything else, or twice, is refused by its name',
  run: async (t, open) => {
    const world = await open()
    const { raw, supplier, apiKey } = world
    await createdAccount(world)
    const token = await tokenOf(raw, apiKey)
    const body = additionTo('transactions.json', supplier, number)
    const ask = async (query: string) => {
      const { status, text } = await raw.post(`/v1/data-import/transactions/create/?${query}`, token, body)
      const { errors = [] } = JSON.parse(text) as { errors?: readonly { attr: string; code: string }[] }
      return [status, ...errors.map(({ attr, code }) => `${attr} ${code}`)].join(' ')
    }
    t.is(await ask('check_previously_added=TRUE&force_add_to_current_statement=False'), '201')
    t.is(await ask('other=1'), '201')
    for (const wrong of ['', '=', '=1', '=yes', '=true%20', '=true&check_previously_added=true'])
      t.is(await ask(`check_previously_added${wrong}`), '400 check_previously_added invalid', wrong)
    t.is(
      await ask('force_add_to_current_statement=0&check_previously_added=x'),
      '400 check_previously_added invalid force_add_to_current_statement invalid',
    )
  },
}

/** Transactions that were added already, and the parameters of the request. */
export const transactionJourneys: readonly Journey[] = [sampleTwice, ofThePayload, addedAgain, parameters]
