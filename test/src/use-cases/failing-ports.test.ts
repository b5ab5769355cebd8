import test from 'ava'
import { makeUseCases, type Ports } from '@account-import/core'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import { failingCall } from './support/failing-call.js'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, processGas, right, service } from './support/service.js'

const mostCalls = 40

/** Runs the work with the 1st, the 2nd, … port call made to fail, until a run has no such call any more. */
const everyCall = async (run: (nth: number) => Promise<boolean>): Promise<number> => {
  for (let nth = 1; nth <= mostCalls; nth++) if (!(await run(nth))) return nth - 1
  throw new Error('more port calls than were expected')
}

const accountIsWhole = async (ports: Ports): Promise<boolean> => {
  const found = await right(ports.accountImports.find(gasKey))
  const account = await right(ports.accounts.find(gasKey))
  return found?.created?.platformAccountNumber === account?.platformAccountNumber
}

for (const kind of ['unavailable', 'unexpected'] as const) {
  test(`whichever port call of staging fails (${kind}), the answer is that failure and staging again succeeds`, async (t) => {
    const calls = await everyCall(async (nth) => {
      const { ports, useCases } = await service()
      const broken = failingCall(ports, nth, kind)
      const answer = await makeUseCases(broken.ports).stageAccount({
        organisation,
        payload: sample('gas-account'),
      })()
      if (!broken.hit()) return false
      t.is(answer._tag === 'Left' ? answer.left._tag : answer._tag, 'PortFailure', `call ${nth}`)
      await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
      return true
    })
    t.true(calls >= 2, `${calls} calls were made to fail`)
  })

  test(`whichever port call of processing fails (${kind}), no account is half there and it can be processed later`, async (t) => {
    const calls = await everyCall(async (nth) => {
      let seconds = 0
      const clock = {
        now: () =>
          new Date(1_756_720_800_000 + seconds * 1000).toISOString() as ReturnType<Ports['clock']['now']>,
      }
      const { ports, useCases } = await service({ clock })
      await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
      const broken = failingCall(ports, nth, kind)
      const answer = await makeUseCases(broken.ports).processAccount({ organisation, payload: processGas })()
      if (!broken.hit()) return false
      t.is(answer._tag === 'Left' ? answer.left._tag : answer._tag, 'PortFailure', `call ${nth}`)
      t.true(await accountIsWhole(ports), `call ${nth}`)
      seconds += 61
      const { platformAccountNumber } = await right(
        useCases.processAccount({ organisation, payload: processGas }),
      )
      t.is((await right(ports.accounts.find(gasKey)))?.platformAccountNumber, platformAccountNumber)
      return true
    })
    t.true(calls >= 6, `${calls} calls were made to fail`)
  })
}

test('a failure while creating releases the claim at once and is recorded on the import', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const noNumbers = makeUseCases({
    ...ports,
    platformAccountNumbers: failing(ports.platformAccountNumbers, 'next', { kind: 'unexpected' }),
  })
  t.is((await left(noNumbers.processAccount({ organisation, payload: processGas })))._tag, 'PortFailure')
  const status = await right(useCases.transferStatus(gasKey))
  t.deepEqual([status.status, status.attempts, status.latestError?.code], ['UNKNOWN', 1, 'error'])
  await right(useCases.processAccount({ organisation, payload: processGas }))
  const after = await right(useCases.transferStatus(gasKey))
  t.deepEqual([after.status, after.attempts, after.latestError], ['COMPLETED', 2, undefined])
})

test('a fault that is thrown while creating releases the claim at once too', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const throwing = makeUseCases({
    ...ports,
    platformAccountNumbers: {
      next: () => () => {
        throw new Error('a fault')
      },
    },
  })
  const answer = await left(throwing.processAccount({ organisation, payload: processGas }))
  t.like(answer, { _tag: 'PortFailure', kind: 'unexpected' })
  t.like(await right(useCases.transferStatus(gasKey)), { status: 'UNKNOWN', latestError: { code: 'error' } })
})

test('staged data that the store gives back broken is a failure, which releases the claim', async (t) => {
  const { ports, useCases } = await service()
  await right(ports.accountImports.stage([{ key: gasKey, payload: '{"cut', at: ports.clock.now() }]))
  t.like(await left(useCases.processAccount({ organisation, payload: processGas })), { _tag: 'PortFailure' })
  t.is((await right(useCases.transferStatus(gasKey))).status, 'UNKNOWN')
})

test('a claim that was taken though the store failed afterwards is given up', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const losing = makeUseCases({
    ...ports,
    accountImports: {
      ...ports.accountImports,
      claim: (requests, limit) => async () => {
        await ports.accountImports.claim(requests, limit)()
        return failing(ports.accountImports, 'claim').claim(requests, limit)()
      },
    },
  })
  t.is((await left(losing.processAccount({ organisation, payload: processGas })))._tag, 'PortFailure')
  t.is((await right(useCases.transferStatus(gasKey))).status, 'UNKNOWN')
})

test('a release that fails leaves the claim to its expiry and answers the failure of the store', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const noRelease = makeUseCases({ ...ports, accountImports: failing(ports.accountImports, 'release') })
  const answer = await left(
    noRelease.processAccount({ organisation, payload: { ...processGas, dry_run: true } }),
  )
  t.is(answer._tag, 'PortFailure')
  t.is((await right(useCases.transferStatus(gasKey))).status, 'IN_PROGRESS')
})

test('a list that fails after its first page throws, so that it cannot be taken for a whole one', async (t) => {
  const ports = inMemoryPorts()
  const useCases = makeUseCases({
    ...ports,
    accountImports: failing(ports.accountImports, 'page', { nth: 2 }),
  })
  await right(useCases.operator.createOrganisation({ code: organisation }))
  await right(useCases.operator.createSupplier({ code: 'LEVANTE', organisation }))
  const stagings = Array.from({ length: 1500 }, (_, index) => ({
    key: { ...gasKey, externalAccountNumber: `N-${index}` },
    payload: '{}',
    at: ports.clock.now(),
  }))
  await right(ports.accountImports.stage(stagings))
  const pages = await right(
    useCases.allAccountImports({ organisation, importSupplier: 'LEVANTE', list: 'all' }),
  )
  let items = 0
  const error = await t.throwsAsync(
    async () => {
      for await (const page of pages) items += page.length
    },
    { any: true },
  )
  t.is(items, 1000)
  t.is((error as unknown as { _tag: string })._tag, 'PortFailure')
})
