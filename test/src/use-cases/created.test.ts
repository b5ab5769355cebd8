import test from 'ava'
import { type AccountPayload, instantOf, makeUseCases, portFailure, type Ports } from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { accountFromPayload } from '@account-import/core/testing'
import { bareDetails } from '../support/bare-details.js'
import {
  gasKey,
  keyOf,
  leastText,
  numbered,
  organisation,
  processGas,
  processing,
  right,
  service,
  withStaged,
} from './support/service.js'

const least = {
  import_supplier: gasKey.importSupplier,
  external_account_number: gasKey.externalAccountNumber,
  unknown_occupier: true,
}

const createdAt = instantOf(Date.parse('2025-09-01T10:00:00.500Z'))
const made = (fields: Partial<AccountPayload>): unknown =>
  accountFromPayload({ import_supplier: 'S', external_account_number: 'N', ...fields }, createdAt)

const transaction = {
  transaction_id: 'T',
  transaction_date: '2025-01-01',
  amount: 5,
  type: 'PAYMENT',
} as const
const keptTransaction = { ...transaction, amount: '5.00', line_items: [], tax_items: [] }
const items = { line_items: [{ a: 1 }], tax_items: [{ b: 2 }] }
const point = { identifier: 'P', supply_type: 'GAS', supply_start_date: '2025-01-01' } as const
const address = {
  supply_address: { country: 'ES' },
  customer_at_supply_address_from_date: '2025-01-01',
} as const
const schedule = { means: 'DD', start_date: '2025-01-01' } as const

/** By what is sent: what is kept of it, the whole of a field; as it was sent, where nothing is given. */
const kept: readonly (readonly [why: string, sent: object, kept?: object])[] = [
  ['nothing', {}],
  [
    'fields as they are, an empty text and a false one too',
    { account_type: 'BUSINESS', billing_name: '', sales_channel: 'X', communication_preference: 'PRINT' },
  ],
  [
    'customers with empty lists',
    {
      customers: [
        { given_name: 'A' },
        { account_roles: ['R'], user_details: [{ namespace: 'n', value: 'v' }] },
      ],
    },
    {
      customers: [
        { given_name: 'A', account_roles: [], user_details: [] },
        { account_roles: ['R'], user_details: [{ namespace: 'n', value: 'v' }] },
      ],
    },
  ],
  [
    'supply points with empty lists',
    { supply_addresses: [{ ...address, supply_points: [point] }] },
    {
      supply_addresses: [
        {
          ...address,
          supply_points: [{ ...point, atr_tariffs: [], agreements: [], readings: [], billable_items: [] }],
        },
      ],
    },
  ],
  [
    'notes that are not pinned, of the time of creation',
    { notes: [{ body: 'B' }] },
    { notes: [{ body: 'B', document_paths: [], created_at: createdAt, is_pinned: false }] },
  ],
  [
    'notes with all that was sent, their times with milliseconds',
    {
      notes: [
        {
          document_paths: [{ document_path: 'a' }],
          created_at: '2024-11-05T09:30:00Z',
          is_pinned: true,
          unpin_at: '2025-11-05T09:30:00Z',
        },
      ],
    },
    {
      notes: [
        {
          document_paths: [{ document_path: 'a' }],
          created_at: '2024-11-05T09:30:00.000Z',
          is_pinned: true,
          unpin_at: '2025-11-05T09:30:00.000Z',
        },
      ],
    },
  ],
  [
    'ledgers without balances where none was sent',
    { ledgers: [{ ledger_code: 'L' }] },
    {
      ledgers: [
        { ledger_code: 'L', current_statement_transactions: [], historical_statement_transactions: [] },
      ],
    },
  ],
  [
    'money with two places, in balances, transactions and schedules, and items of transactions as they were sent',
    {
      ledgers: [
        {
          ledger_code: 'L',
          last_statement_balance: '-1.5',
          ledger_balance: 0,
          current_statement_transactions: [{ ...transaction, ...items }],
          historical_statement_transactions: [{ ...transaction, transaction_id: 'H' }],
        },
      ],
      payment_schedules: [{ ...schedule, amount: '12', trigger: 'BILL' }],
    },
    {
      ledgers: [
        {
          ledger_code: 'L',
          last_statement_balance: '-1.50',
          ledger_balance: '0.00',
          current_statement_transactions: [{ ...keptTransaction, ...items }],
          historical_statement_transactions: [{ ...keptTransaction, transaction_id: 'H' }],
        },
      ],
      payment_schedules: [{ ...schedule, amount: '12.00', trigger: 'BILL' }],
    },
  ],
  [
    'schedules that are regular',
    { payment_schedules: [schedule] },
    { payment_schedules: [{ ...schedule, trigger: 'REGULAR' }] },
  ],
  [
    'statements, metadata and references as they are',
    {
      statements: [{ statement_id: 'S' }],
      metadata: [{ key: 'k', value: {} }],
      references: [{ namespace: 'n', value: 'v' }],
    },
  ],
]
for (const [why, sent, fields = sent] of kept)
  test(`an account is made of its payload, with the defaults that are documented: ${why}`, (t) => {
    t.deepEqual(made(sent as Partial<AccountPayload>), { ...bareDetails, ...fields })
  })

test('an account is created from what is staged, at the time of its creation, under its team', async (t) => {
  const { clock, ports, useCases } = await service()
  for (const account_type of ['DOMESTIC', 'BUSINESS'])
    await right(useCases.stageAccount({ organisation, payload: { ...least, account_type } }))
  clock.pass(60)
  const { platformAccountNumber } = await right(processing(useCases))
  t.deepEqual<unknown, unknown>(await right(ports.accounts.find(gasKey)), {
    key: gasKey,
    platformAccountNumber,
    operationsTeam: processGas.operations_team_name,
    stagedVersion: 2,
    createdAt: clock.now(),
    details: { ...bareDetails, account_type: 'BUSINESS', unknown_occupier: true },
  })
})

/** The use cases on a store that completes accounts of a unit of work in this way. */
const completing = (
  ports: Ports,
  complete: (...given: Parameters<Complete>) => (plainly: Complete) => ReturnType<Complete>,
) => {
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) =>
      ports.unitOfWork.run(({ accountImports, ...stores }) => {
        const changed: Complete = (...given) => complete(...given)(accountImports.complete)
        return work({ ...stores, accountImports: { ...accountImports, complete: changed } })
      }),
  }
  return makeUseCases({ ...ports, unitOfWork })
}

/** The use cases, and how many accounts each unit of work completed, or tried to. */
const counting = (ports: Ports) => {
  const sizes: number[] = []
  const useCases = completing(ports, (completions) => (plainly) => {
    sizes.push(completions.length)
    return plainly(completions)
  })
  return { sizes, useCases }
}

type Complete = Ports['accountImports']['complete']
type UseCases = ReturnType<typeof makeUseCases>

const processAll = ({ processAccount }: UseCases, numbers: readonly string[], dry_run = false) =>
  Promise.all(
    numbers.map((number) =>
      processAccount({
        organisation,
        payload: { ...processGas, external_account_number: number, dry_run },
      })(),
    ),
  )

const tagsOf = (answers: Awaited<ReturnType<typeof processAll>>): readonly string[] =>
  answers.map((answer) => (E.isRight(answer) ? 'created' : answer.left._tag))

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

const batches: readonly (readonly [why: string, count: number, length: number, most: number])[] = [
  ['16 accounts', 40, 0, 16],
  ['16 accounts of 128 KiB', 20, 2 ** 17, 16],
  ['one large account', 8, 2 ** 17 + 1, 1],
  ['one account, however long it is', 4, 2 ** 22 + 1, 1],
]
for (const [why, count, length, most] of batches)
  test(`accounts that are ready at the same moment are created in one unit of work, up to ${why}`, async (t) => {
    const numbers = numbered(count)
    const { ports } = await withStaged(numbers, (number) => leastText(number).padEnd(length))
    const { sizes, useCases } = counting(ports)
    t.deepEqual(new Set(tagsOf(await processAll(useCases, numbers))), new Set(['created']))
    t.is(Math.max(...sizes), most)
    t.is(sum(sizes), count)
  })

test('each of them gets its own number, and is stored under its own name', async (t) => {
  const numbers = numbered(20)
  const { ports } = await withStaged(numbers)
  const answers = await processAll(makeUseCases(ports), numbers)
  for (const [index, number] of numbers.entries()) {
    const answer = answers[index]
    const account = await right(ports.accounts.find(keyOf(number)))
    t.is(
      account?.platformAccountNumber,
      answer && E.isRight(answer) ? answer.right.platformAccountNumber : 'none',
    )
  }
})

test('an account that cannot be created fails alone, and those beside it are created', async (t) => {
  const numbers = numbered(5)
  const { ports } = await withStaged(numbers)
  const given = ['1', '2', '1', '3', '4']
  const platformAccountNumbers = { next: () => TE.fromIO(() => given.shift() ?? 'none is left') }
  const { sizes, useCases } = counting({ ...ports, platformAccountNumbers })
  t.deepEqual(tagsOf(await processAll(useCases, numbers)), [
    'created',
    'created',
    'PortFailure',
    'created',
    'created',
  ])
  t.deepEqual(sizes, [5, 1, 1, 1, 1, 1])
})

test('where the database is away none of them is tried again', async (t) => {
  const numbers = numbered(5)
  const { ports } = await withStaged(numbers)
  let runs = 0
  const away = failing(ports.unitOfWork, 'run')
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => {
      runs += 1
      return away.run(work)
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(new Set(tagsOf(answers)), new Set(['PortFailure']))
  t.is(runs, 1)
})

test('where only some rows are out of reach each of them is tried by itself', async (t) => {
  const numbers = numbered(3)
  const { ports } = await withStaged(numbers)
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => {
      runs += 1
      const locked = {
        ...portFailure('unavailable', 'unitOfWork', 'run', undefined),
        ofSomeRows: true,
      } as const
      return runs === 1 ? TE.left(locked) : ports.unitOfWork.run(work)
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(tagsOf(answers), ['created', 'created', 'created'])
  t.is(runs, 1 + numbers.length)
})

test('a dry run creates nothing, and shares its unit of work with nobody', async (t) => {
  const numbers = numbered(3)
  const { ports } = await withStaged(numbers)
  const { sizes, useCases } = counting(ports)
  t.deepEqual(new Set(tagsOf(await processAll(useCases, numbers, true))), new Set(['DryRunSucceeded']))
  t.deepEqual(sizes, [1, 1, 1])
  for (const externalAccountNumber of numbers) {
    const key = keyOf(externalAccountNumber)
    t.is(await right(ports.accounts.find(key)), undefined)
    const found = await right(ports.accountImports.find(key))
    t.like(found, { attempts: 0, created: undefined, claim: undefined, latestFailure: undefined })
  }
})

test('a claim that was taken over meanwhile is lost: nothing of that account is created', async (t) => {
  const numbers = numbered(2)
  const { ports } = await withStaged(numbers)
  const [first = ''] = numbers
  const losing = completing(
    ports,
    (completions) => (plainly) =>
      plainly(
        completions.map((each) =>
          each.key.externalAccountNumber === first ? { ...each, token: 'not theirs' } : each,
        ),
      ),
  )
  for (const dryRun of [true, false]) {
    const answers = await processAll(losing, numbers, dryRun)
    t.deepEqual(tagsOf(answers), ['ClaimLost', dryRun ? 'DryRunSucceeded' : 'created'])
    const lost = { _tag: 'ClaimLost', key: keyOf(first), retryAfterSeconds: 1 }
    t.deepEqual<unknown, unknown>(answers[0], E.left(lost))
  }
  t.is(await right(ports.accounts.find(keyOf(first))), undefined)
})

test('accounts whose commit was done and reported as failed are created once, and answered with the numbers that they have', async (t) => {
  const numbers = numbered(3)
  const { ports } = await withStaged(numbers)
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => async () => {
      runs += 1
      const done = await ports.unitOfWork.run(work)()
      return runs === 1 ? failing(ports.unitOfWork, 'run', { kind: 'unexpected' }).run(work)() : done
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(tagsOf(answers), ['created', 'created', 'created'])
  t.is(runs, 1 + numbers.length)
  for (const [index, externalAccountNumber] of numbers.entries()) {
    const account = await right(ports.accounts.find(keyOf(externalAccountNumber)))
    t.like(answers[index], { right: { platformAccountNumber: account?.platformAccountNumber } })
  }
})
