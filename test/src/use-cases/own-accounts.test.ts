import test from 'ava'
import { type Account, portFailure, type PortResult, type Ports } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/adapter-kit'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import { once } from '../support/once.js'
import {
  changed,
  configuring,
  gasKey,
  keyOf,
  left,
  numbered,
  organisation,
  processGas,
  processing,
  refusalOf,
  right,
  sample,
  service,
  settableClock,
  staging,
} from './support/service.js'

/** A platform that creates accounts in a store of its own, which takes part in the units of work. */
const platform = async (
  before: (accounts: readonly Account[]) => PortResult<void> = async () => E.right(undefined),
) => {
  const own = new Map<string, Account>()
  const calls: (readonly Account[])[] = []
  const create = async (accounts: readonly Account[]): PortResult<void> => {
    calls.push(accounts)
    const mayCreate = await before(accounts)
    if (E.isLeft(mayCreate)) return mayCreate
    if (accounts.some(({ key }) => own.has(key.externalAccountNumber)))
      return E.left(portFailure('unexpected', 'accounts', 'create', new Error('the account exists')))
    for (const account of accounts) own.set(account.key.externalAccountNumber, account)
    return E.right(undefined)
  }
  const clock = settableClock()
  const inner = inMemoryPorts({ clock })
  const withOwn = <Accounts extends object>(accounts: Accounts) =>
    ({ ...accounts, create, keepsDetails: true }) as const
  const unitOfWork: Ports['unitOfWork'] = {
    run: async (organisation, work) => {
      const saved = new Map(own)
      const done = await inner.unitOfWork.run(organisation, (stores) =>
        work({ ...stores, accounts: withOwn(stores.accounts) }),
      )
      if (E.isRight(done)) return done
      // The platform's store rolls back with the unit of work.
      own.clear()
      for (const [number, account] of saved) own.set(number, account)
      return done
    },
  }
  const made = await service({ ...inner, accounts: withOwn(inner.accounts), unitOfWork })
  return { ...made, clock, own, calls }
}

const stageAll = async (
  useCases: Awaited<ReturnType<typeof service>>['useCases'],
  numbers: readonly string[],
) => {
  for (const external_account_number of numbers) await right(staging(useCases, { external_account_number }))
}

const { external_account_number: _number, ...processAll } = processGas

const processList = async ({ bulkProcess }: Awaited<ReturnType<typeof service>>['useCases']) => {
  const tags: string[] = []
  for await (const page of await right(bulkProcess({ organisation, payload: processAll })))
    for (const { outcome } of page) tags.push(E.isRight(outcome) ? 'created' : outcome.left._tag)
  return tags
}

test("the platform's own store gets the whole account, within the change that creates it", async (t) => {
  const { clock, ports, useCases, own } = await platform()
  await right(staging(useCases))
  await right(staging(useCases))
  clock.pass(60)
  const { platformAccountNumber } = await right(processing(useCases))
  const payload = sample('gas-account') as unknown as Parameters<typeof accountFromPayload>[0]
  const expected = {
    key: gasKey,
    platformAccountNumber,
    operationsTeam: processGas.operations_team_name,
    stagedVersion: 2,
    createdAt: clock.now(),
    details: accountFromPayload(payload, clock.now()),
  }
  t.deepEqual<unknown, unknown>(own.get(gasKey.externalAccountNumber), expected)
  t.deepEqual<unknown, unknown>(await right(ports.accounts.find(gasKey)), expected)
  t.like(await right(useCases.transferStatus(gasKey)), { status: 'COMPLETED', attempts: 1 })
})

test("an account of a run has the run's id in the platform's own store", async (t) => {
  const { useCases, own } = await platform()
  const { id } = await right(
    useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }),
  )
  await right(staging(useCases))
  await right(useCases.processAccount({ organisation, payload: processGas, importRun: { id } }))
  t.is(own.get(gasKey.externalAccountNumber)?.importRun, id)
})

test('requests above the limit are refused at once, however many accounts the platform creates', async (t) => {
  const letGo = once()
  const { ports } = await platform(async () => {
    await letGo.happened
    return E.right(undefined)
  })
  const settings = { ...ports.settings, processingConcurrencyLimit: 12 }
  const useCases = makeUseCases({ ...ports, settings })
  const numbers = numbered(20)
  await stageAll(useCases, numbers)
  const eight = once()
  let refused = 0
  const sent = numbers.map(async (external_account_number) => {
    const answer = await processing(useCases, { external_account_number })
    if (E.isRight(answer)) return 'created'
    refused += 1
    if (refused === 8) eight.happen()
    return answer.left._tag
  })
  await eight.happened
  letGo.happen()
  const tags = await Promise.all(sent)
  t.is(tags.filter((tag) => tag === 'created').length, 12)
  t.is(tags.filter((tag) => tag === 'ConcurrencyLimitReached').length, 8)
})

test('an account is in progress while the platform creates it, and other requests for it are refused', async (t) => {
  const [numbered, mayGo, begun, mayEnd] = [once(), once(), once(), once()]
  const { ports, useCases, own } = await platform(async () => {
    begun.happen()
    await mayEnd.happened
    return E.right(undefined)
  })
  const next: Ports['platformAccountNumbers']['next'] = async () => {
    numbered.happen()
    await mayGo.happened
    return ports.platformAccountNumbers.next()
  }
  await right(staging(useCases))
  const creating = right(processing(makeUseCases({ ...ports, platformAccountNumbers: { next } })))
  await numbered.happened
  t.is((await right(useCases.transferStatus(gasKey))).status, 'IN_PROGRESS')
  t.is(
    (await right(useCases.accountImportSummary({ organisation, importSupplier: 'LEVANTE' }))).inProgress,
    1,
  )
  t.is(await refusalOf(processing(useCases, { dry_run: true })), 'AccountProcessedElsewhere')
  t.like(await right(useCases.validateAccount({ organisation, payload: sample('gas-account') })), {
    staging: 'account_import_in_progress',
  })
  t.is(await refusalOf(staging(useCases)), 'AccountImportInProgress')
  mayGo.happen()
  await begun.happened
  t.is((await right(useCases.transferStatus(gasKey))).status, 'IN_PROGRESS')
  mayEnd.happen()
  await creating
  t.is((await right(useCases.transferStatus(gasKey))).status, 'COMPLETED')
  t.deepEqual([...own.keys()], [gasKey.externalAccountNumber])
})

test('an account that the platform cannot create stays staged, and is created by the next request', async (t) => {
  let isAway = true
  const { ports, useCases, own } = await platform(async () =>
    isAway ? E.left(portFailure('unavailable', 'accounts', 'create', new Error('away'))) : E.right(undefined),
  )
  await right(staging(useCases))
  t.like(await left(processing(useCases)), { _tag: 'PortFailure', port: 'accounts', kind: 'unavailable' })
  t.like(await right(useCases.transferStatus(gasKey)), {
    status: 'UNKNOWN',
    attempts: 1,
    latestError: { code: 'service_unavailable' },
  })
  t.deepEqual([own.size, await right(ports.accounts.find(gasKey))], [0, undefined])
  isAway = false
  await right(processing(useCases))
  t.like(await right(useCases.transferStatus(gasKey)), { status: 'COMPLETED', attempts: 2 })
  t.is(own.size, 1)
})

test('an account that the platform refuses fails alone, and the others are created', async (t) => {
  const { useCases, own } = await platform(async (accounts) =>
    accounts.some(({ key }) => key.externalAccountNumber === 'N-0002')
      ? E.left(portFailure('unexpected', 'accounts', 'create', new Error('refused')))
      : E.right(undefined),
  )
  await stageAll(useCases, numbered(4))
  t.deepEqual(await processList(useCases), ['created', 'created', 'PortFailure', 'created'])
  t.deepEqual([...own.keys()], ['N-0000', 'N-0001', 'N-0003'])
})

test('a unit of work passes its accounts to the platform together, and each once', async (t) => {
  const { ports, calls } = await platform()
  await stageAll(makeUseCases(ports), numbered(3))
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: async (organisation, work) => {
      runs += 1
      const done = await ports.unitOfWork.run(organisation, work)
      return runs === 1
        ? failing(ports.unitOfWork, 'run', { kind: 'unexpected' }).run(organisation, work)
        : done
    },
  }
  // The commit of the first unit was reported as failed: each account is created again, and exists.
  t.deepEqual(await processList(makeUseCases({ ...ports, unitOfWork })), ['created', 'created', 'created'])
  t.deepEqual(
    calls.map(({ length }) => length),
    [3],
  )
})

test('a dry run has the platform create the account, and rolls back', async (t) => {
  const { useCases, own, calls } = await platform()
  await right(staging(useCases))
  t.is(await refusalOf(processing(useCases, { dry_run: true })), 'DryRunSucceeded')
  t.deepEqual([own.size, calls.length], [0, 1])
  t.like(await right(useCases.transferStatus(gasKey)), { status: 'UNKNOWN', attempts: 0 })
  await right(processing(useCases))
  t.is(own.size, 1)
})

test('an import in one request stages, claims and creates each account in the platform', async (t) => {
  const { ports, useCases, own } = await platform()
  const lines = numbered(3).map((external_account_number, index) => ({
    line: index + 1,
    bytes: 2,
    json: async () => E.right({ payload: { ...sample('gas-account'), external_account_number } }),
  }))
  const claims: number[] = []
  const counted = changed(ports, 'accountImports', {
    claim: (requests, limit) => {
      claims.push(requests.length)
      return ports.accountImports.claim(requests, limit)
    },
  })
  const { operations_team_name: operationsTeam } = processGas
  const tags: string[] = []
  const pages = await right(makeUseCases(counted).bulkImport({ organisation, lines, operationsTeam }))
  for await (const page of pages) tags.push(...page.map(({ outcome }) => outcome._tag))
  t.deepEqual(tags, ['Right', 'Right', 'Right'])
  t.deepEqual([own.size, claims.reduce((sum, each) => sum + each, 0)], [3, 3])
  t.like(await right(useCases.transferStatus(keyOf('N-0001'))), { status: 'COMPLETED', attempts: 1 })
})

test('staged data of created accounts is removed after the retention days when the platform keeps the details', async (t) => {
  const { clock, ports, useCases } = await platform()
  await right(configuring(useCases, { retentionDays: 1 }))
  await right(staging(useCases))
  await right(processing(useCases))
  clock.pass(86_399)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  clock.pass(1)
  t.is(await right(useCases.removeDuePayloads(10)), 1)
  t.deepEqual(await right(ports.accountImports.staged([gasKey])), [undefined])
  t.is((await right(ports.accounts.find(gasKey)))?.details.account_type, 'DOMESTIC')
  t.is(await refusalOf(processing(useCases)), 'AccountAlreadyImported')
})
