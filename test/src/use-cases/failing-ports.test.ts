import test from 'ava'
import { makeUseCases, webCryptoSecrets, type Ports, type UseCases } from '@account-import/core'
import { pipe, TE, type TaskEither } from '@account-import/core/adapter-kit'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, processGas, right, service } from './support/service.js'

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

test('where creating fails and the release too, the answer is why it was not created', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const broken = makeUseCases({
    ...ports,
    platformAccountNumbers: failing(ports.platformAccountNumbers, 'next', { kind: 'unexpected' }),
    accountImports: failing(ports.accountImports, 'release'),
  })
  t.like(await left(broken.processAccount({ organisation, payload: processGas })), { operation: 'next' })
})

type Call = (useCases: UseCases) => TaskEither<unknown, unknown>
const authenticate: Call = ({ authenticate: of, operator, obtainToken }) =>
  pipe(
    operator.createApiKey({ organisation }),
    TE.flatMap(({ apiKey }) => obtainToken({ credentials: { apiKey }, address: 'here' })),
    TE.flatMap(({ token }) => of(token)),
  )
const keyed = { organisation, key: 'k', method: 'POST', path: '/', content: 'c' }
const noHash = { ...webCryptoSecrets, hash: () => Promise.reject(new Error('made to fail')) }

const calls: readonly (readonly [why: string, broken: (ports: Ports) => Partial<Ports>, call: Call])[] = [
  [
    'tokens cannot be verified',
    ({ accessTokens }) => ({ accessTokens: failing(accessTokens, 'verify') }),
    authenticate,
  ],
  [
    'the key of a token cannot be read',
    ({ apiKeys }) => ({ apiKeys: failing(apiKeys, 'find', { nth: 2 }) }),
    authenticate,
  ],
  ['the key cannot be read', ({ apiKeys }) => ({ apiKeys: failing(apiKeys, 'find') }), authenticate],
  [
    'it cannot be read whether the session of a token has ended',
    ({ refreshTokens }) => ({ refreshTokens: failing(refreshTokens, 'hasEnded') }),
    authenticate,
  ],
  [
    'the import cannot be read while an account is validated',
    ({ accountImports }) => ({ accountImports: failing(accountImports, 'find') }),
    ({ validateAccount }) => validateAccount({ organisation, payload: sample('gas-account') }),
  ],
  [
    'nothing can be hashed',
    () => ({ secrets: noHash }),
    ({ answerOnce }) => answerOnce(keyed, () => Promise.reject(new Error('was begun'))),
  ],
  [
    'answers cannot be claimed',
    ({ keptAnswers }) => ({ keptAnswers: failing(keptAnswers, 'claim') }),
    ({ answerOnce }) => answerOnce(keyed, () => Promise.reject(new Error('was begun'))),
  ],
]
for (const [why, broken, call] of calls)
  test(`where ${why}, the answer is that failure`, async (t) => {
    const { ports } = await service()
    t.like(await left(call(makeUseCases({ ...ports, ...broken(ports) }))), { _tag: 'PortFailure' })
  })

test('a run over all that is staged ends with the failure of the store that lists it', async (t) => {
  const { ports } = await service()
  const accountImports = failing(ports.accountImports, 'stagedPage')
  const { external_account_number: _, ...payload } = processGas
  const pages = await right(makeUseCases({ ...ports, accountImports }).bulkProcess({ organisation, payload }))
  const thrown: unknown = await t.throwsAsync(pages[Symbol.asyncIterator]().next(), { any: true })
  t.like(thrown, { _tag: 'PortFailure', operation: 'stagedPage' })
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
