import type { ClaimRequest } from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { setTimeout } from 'node:timers/promises'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { bareDetails } from './support/bare-details.js'
import { accountOf } from './support/account-of.js'
import { claimOf, keyOf, now, stagingOf } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const completionOf = ({ key, token, at }: ClaimRequest, platformAccountNumber: string) => ({
  key,
  token,
  at,
  platformAccountNumber,
})

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `A-${index}`)

onEach('of 100 claims on one account from two processes exactly one is taken', async (t, { open }) => {
  const processes = [open(), open()]
  await answer((processes[0] as Opened).ports.accountImports.stage([stagingOf('A')]))
  const outcomes = await Promise.all(
    numbers(100).map((_, index) =>
      answer((processes[index % 2] as Opened).ports.accountImports.claim([claimOf('A')])),
    ),
  )
  const tags = outcomes.map(([outcome]) => outcome?._tag)
  t.is(tags.filter((tag) => tag === 'claimed').length, 1)
  t.is(tags.filter((tag) => tag === 'in_progress').length, 99)
})

/** Live claims as the database has them. */
const liveClaims = async ({ knex }: Opened): Promise<number> => {
  const [row] = await knex('account_imports').whereNotNull('claim_token').count({ live: '*' })
  return Number(row?.['live'])
}

/** Claims, creates or gives up, one account after the other; waits while the limit is reached. */
const processAll = async (opened: Opened, queue: string[], limit: number, seen: number[]): Promise<void> => {
  const { accountImports, unitOfWork } = opened.ports
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    const request = claimOf(number)
    const [outcome] = await answer(accountImports.claim([request], limit))
    if (outcome?._tag !== 'claimed') {
      queue.unshift(number)
      await setTimeout(2)
      continue
    }
    seen.push(await liveClaims(opened))
    const { key, token } = request
    if (Math.random() < 0.2) {
      await answer(accountImports.release([{ key, token, failure: { code: 'failed', at: now() } }]))
      queue.unshift(number)
    } else
      await answer(
        unitOfWork.run((stores) => stores.accountImports.complete([completionOf(request, `P-${number}`)])),
      )
  }
}

onEach('with a limit of 4 two processes never have more than 4 live claims together', async (t, { open }) => {
  const processes = [open(), open()]
  const queue = [...numbers(60)]
  await answer((processes[0] as Opened).ports.accountImports.stage(queue.map((number) => stagingOf(number))))
  const seen: number[] = []
  await Promise.all(
    Array.from({ length: 16 }, (_, index) => processAll(processes[index % 2] as Opened, queue, 4, seen)),
  )
  t.true(Math.max(...seen) <= 4, `${Math.max(...seen)} live claims`)
  t.is(await liveClaims(processes[0] as Opened), 0)
  const imported = await answer(
    (processes[0] as Opened).ports.accountImports.page({
      ...keyOf(''),
      list: 'imported',
      after: undefined,
      limit: 100,
    }),
  )
  t.is(imported.length, 60)
  const slots = await (processes[0] as Opened).knex('processing_slots').select('slot', 'claim_token')
  t.deepEqual(
    slots.map(({ slot, claim_token }) => [slot, claim_token]),
    [0, 1, 2, 3].map((slot) => [slot, null]),
  )
})

onEach(
  'a claim over the limit changes nothing, and the slot of an expired claim is free',
  async (t, { open }) => {
    const { accountImports } = open().ports
    await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
    const first = claimOf('A')
    t.is((await answer(accountImports.claim([first], 1)))[0]?._tag, 'claimed')
    const before = await answer(accountImports.find(keyOf('B')))
    t.deepEqual(await answer(accountImports.claim([claimOf('B')], 1)), [{ _tag: 'over_limit' }])
    t.deepEqual(await answer(accountImports.find(keyOf('B'))), before)
    const later = plusSeconds(first.expiresAt, 1)
    const second = claimOf('B', { at: later, expiresAt: plusSeconds(later, 60) })
    t.is((await answer(accountImports.claim([second], 1)))[0]?._tag, 'claimed')
  },
)

onEach(
  'an expired claim may still complete, but not once it was taken over, voided or skipped',
  async (t, { open }) => {
    const { accountImports } = open().ports
    const names = ['kept', 'taken', 'voided', 'skipped']
    await answer(accountImports.stage(names.map((number) => stagingOf(number))))
    const claims = names.map((number) => claimOf(number, { expiresAt: plusSeconds(now(), -1) }))
    await answer(accountImports.claim(claims))
    await answer(accountImports.claim([claimOf('taken')]))
    await answer(accountImports.stage([stagingOf('voided')]))
    t.is(await answer(accountImports.setSkipped(keyOf('skipped'), true, now())), 'changed')
    const completions = claims.map((request, index) => completionOf(request, `P-${index}`))
    t.deepEqual(await answer(accountImports.complete(completions)), [
      'completed',
      'claim_lost',
      'claim_lost',
      'claim_lost',
    ])
  },
)

onMariaDb('without a limit claims never touch the slots', async (t, { open }) => {
  const { knex, ports } = open()
  await answer(ports.accountImports.stage([stagingOf('A'), stagingOf('B')]))
  const touched: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('processing_slots')) touched.push(sql)
  })
  const [a, b] = [claimOf('A'), claimOf('B')]
  await answer(ports.accountImports.claim([a, b]))
  await answer(ports.accountImports.release([a]))
  await answer(ports.accountImports.complete([completionOf(b, 'P-1')]))
  t.deepEqual(touched, [])
})

onEach(
  'a unit of work that is refused leaves nothing, and one that succeeds leaves everything',
  async (t, { open }) => {
    const { accountImports, accounts, unitOfWork } = open().ports
    await answer(accountImports.stage([stagingOf('A')]))
    const request = claimOf('A')
    await answer(accountImports.claim([request]))
    const create = (refuse: boolean) =>
      unitOfWork.run((stores) => async () => {
        await answer(stores.accountImports.complete([completionOf(request, 'P-1')]))
        await answer(stores.accounts.create([accountOf('A', 'P-1')]))
        return refuse ? E.left('refused' as const) : E.right('created' as const)
      })
    t.deepEqual(await create(true)(), E.left('refused'))
    t.is(await answer(accounts.find(keyOf('A'))), undefined)
    t.is((await answer(accountImports.find(keyOf('A'))))?.created, undefined)
    t.is(await answer(create(false)), 'created')
    t.deepEqual(await answer(accounts.find(keyOf('A'))), accountOf('A', 'P-1'))
  },
)

onEach(
  'a unit of work is not committed when one of its operations failed, whatever it answers',
  async (t, { open }) => {
    const { accountImports, accounts, unitOfWork } = open().ports
    await answer(accounts.create([accountOf('A', 'P-1', bareDetails)]))
    const run = unitOfWork.run((stores) => async () => {
      await answer(stores.accountImports.stage([stagingOf('B')]))
      await stores.accounts.create([accountOf('C', 'P-2', bareDetails), accountOf('A', 'P-3', bareDetails)])()
      return E.right('ignored the failure')
    })
    const result = await run()
    t.like(result, { _tag: 'Left', left: { _tag: 'PortFailure', kind: 'unexpected' } })
    t.is(await answer(accountImports.find(keyOf('B'))), undefined)
    t.is(await answer(accounts.find(keyOf('C'))), undefined)
  },
)

onMariaDb('a unit of work that meets a deadlock runs again from its beginning', async (t, { open }) => {
  const opened = open()
  const { accountImports, unitOfWork } = opened.ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  let [runs, held] = [0, 0]
  let bothHoldOne = (): void => undefined
  const whenBothHoldOne = new Promise<void>((resolve) => (bothHoldOne = resolve))
  const stageInOrder = (order: readonly string[]) =>
    unitOfWork.run((stores) => async () => {
      runs += 1
      for (const number of order) {
        const outcome = await stores.accountImports.stage([stagingOf(number, `"${order.join('')}"`)])()
        if (E.isLeft(outcome)) return outcome
        if (++held === 2) bothHoldOne()
        await whenBothHoldOne
      }
      return E.right('done')
    })
  const results = await Promise.all([answer(stageInOrder(['A', 'B'])), answer(stageInOrder(['B', 'A']))])
  t.deepEqual(results, ['done', 'done'])
  t.deepEqual(opened.retries, [{ reason: 'deadlock', attempt: 1 }])
  t.is(runs, 3)
  t.is((await answer(accountImports.find(keyOf('A'))))?.stagedVersion, 3)
})

onEach('inside a unit of work the limit undoes only the claim that is over it', async (t, { open }) => {
  const { accountImports, unitOfWork } = open().ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  await answer(accountImports.claim([claimOf('A')], 1))
  const outcomes = await answer(
    unitOfWork.run((stores) =>
      TE.flatMap(() => stores.accountImports.claim([claimOf('B')], 1))(
        stores.accountImports.stage([stagingOf('C')]),
      ),
    ),
  )
  t.deepEqual(outcomes, [{ _tag: 'over_limit' }])
  t.is((await answer(accountImports.find(keyOf('B'))))?.claim, undefined)
  t.is((await answer(accountImports.find(keyOf('C'))))?.stagedVersion, 1)
})
