import test from 'ava'
import {
  defaultServiceSettings,
  type PaymentVerification,
  type Ports,
  type UseCases,
  webCryptoSecrets,
} from '@account-import/core'
import { E, type Either, makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryPaymentVendors } from '@account-import/core/in-memory'
import {
  changed,
  claimElsewhere,
  configuring,
  gasKey,
  inShort,
  keyOf,
  left,
  organisation,
  pausing,
  processGas,
  processing,
  refusalOf,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

const named = { importSupplier: 'LEVANTE', externalAccountNumber: gasKey.externalAccountNumber }

type Made = Awaited<ReturnType<typeof service>>

const stage = ({ useCases }: Made) => right(staging(useCases))
const pause = ({ useCases }: Made) => right(pausing(useCases))
const skip = ({ useCases }: Made) => right(useCases.operator.setSkipped({ ...named, skipped: true }))
const unskip = ({ useCases }: Made) => right(useCases.operator.setSkipped({ ...named, skipped: false }))
const create = ({ useCases }: Made) => right(processing(useCases))
const claim = ({ ports }: Made) => claimElsewhere(ports)

/** Staging, validating, processing and the status of an account. */
type Answers = readonly [staging: string, validating: readonly string[], processing: string, status: string]
type Step = (made: Made) => unknown

const elapse: Step = ({ clock }) => clock.pass(10)
const inProgress = 'external_account_number account_import_in_progress'
const imported = 'external_account_number account_already_imported'
const toSkip = 'external_account_number account_marked_to_skip'
const notOngoing = 'import_supplier import_supplier_migration_not_ongoing'
const [taken, elsewhere] = ['AccountImportInProgress', 'AccountProcessedElsewhere']
const [done, skipped, paused] = ['AccountAlreadyImported', 'AccountMarkedToSkip', 'SupplierNotOngoing']
const none = 'AccountImportNotFound'

/** The forecast of validating, and the answer of staging after it. */
const stagingCodes = {
  created: 'created',
  replaced: 'replaced',
  account_already_imported: done,
  account_import_in_progress: taken,
  account_marked_to_skip: skipped,
  import_supplier_migration_not_ongoing: paused,
}

const states: Readonly<Record<string, readonly [reached: readonly Step[], answers: Answers]>> = {
  unknown: [[], ['created', [], 'NothingStaged', none]],
  staged: [[stage], ['replaced', [], 'created', 'UNKNOWN']],
  'in progress': [
    [stage, claim],
    [taken, [inProgress], elsewhere, 'IN_PROGRESS'],
  ],
  'staged, after an expired claim': [
    [stage, claim, elapse],
    ['replaced', [], 'created', 'UNKNOWN'],
  ],
  created: [
    [stage, create],
    [done, [imported], done, 'COMPLETED'],
  ],
  'staged and marked to be skipped': [
    [stage, skip],
    [skipped, [toSkip], skipped, 'UNKNOWN'],
  ],
  'marked to be skipped, without staged data': [[skip], [skipped, [toSkip], skipped, 'UNKNOWN']],
  'unmarked after a mark to be skipped': [
    [skip, unskip],
    ['created', [], 'NothingStaged', none],
  ],
  'unknown, of a paused supplier': [[pause], [paused, [notOngoing], paused, none]],
  'staged, of a paused supplier': [
    [stage, pause],
    [paused, [notOngoing], paused, 'UNKNOWN'],
  ],
  'in progress, of a paused supplier': [
    [stage, claim, pause],
    [taken, [notOngoing, inProgress], elsewhere, 'IN_PROGRESS'],
  ],
  'created, of a paused supplier': [
    [stage, create, pause],
    [done, [notOngoing, imported], done, 'COMPLETED'],
  ],
}

const tagOr = async <A>(call: Promise<Either<{ _tag: string }, A>>, of: (value: A) => string) => {
  const answer = await call
  return answer._tag === 'Left' ? answer.left._tag : of(answer.right)
}

/** The server has processed an account of the supplier, which it remembers therefore. */
const processAnother = async ({ useCases }: Made) => {
  const external_account_number = 'ANOTHER'
  await right(staging(useCases, { external_account_number }))
  await right(processing(useCases, { external_account_number }))
}

for (const [state, [reached, [whenStaged, warnings, whenProcessed, status]]] of Object.entries(states)) {
  const inState = async (...before: readonly Step[]) => {
    const made = await service()
    for (const step of [...before, ...reached]) await step(made)
    return made.useCases
  }

  test(`an account that is ${state} has these results of staging, validating, processing and status`, async (t) => {
    const useCases = await inState()
    const validated = await right(useCases.validateAccount({ organisation, payload: sample('gas-account') }))
    t.deepEqual(validated.warnings.map(inShort), [...warnings])
    t.is(await tagOr(useCases.transferStatus(gasKey), (found) => found.status), status)
    t.is(stagingCodes[validated.staging], whenStaged)
    t.is(await tagOr(staging(useCases), ({ outcome }) => outcome), whenStaged)
    t.is(await tagOr(processing(await inState()), () => 'created'), whenProcessed)
    t.is(await tagOr(processing(await inState(processAnother)), () => 'created'), whenProcessed)
  })

  test(`an account that is ${state} reports an unknown team last`, async (t) => {
    for (const useCases of [await inState(), await inState(processAnother)]) {
      const answer = await tagOr(processing(useCases, { operations_team_name: 'Nobody' }), () => 'created')
      t.is(answer, whenProcessed === 'created' ? 'OperationsTeamDoesNotExist' : whenProcessed)
    }
  })
}

test('a refusal names the existing account, and the seconds until a retry', async (t) => {
  const made = await service()
  await stage(made)
  await claim(made)
  const refused = () => left<unknown, unknown>(processing(made.useCases))
  t.deepEqual(await refused(), { _tag: 'AccountProcessedElsewhere', retryAfterSeconds: 1 })
  made.clock.pass(10)
  const { platformAccountNumber } = await create(made)
  const { externalAccountNumber } = gasKey
  const already = { _tag: 'AccountAlreadyImported', externalAccountNumber, platformAccountNumber }
  t.deepEqual(await refused(), { ...already, sameData: true })
  t.deepEqual<unknown, unknown>(await left(staging(made.useCases)), { ...already, sameData: true })
})

test('a latest error with an unknown code has the text of an unexpected error', async (t) => {
  const made = await service()
  await stage(made)
  for (const code of ['account_failed_validation', 'gone_for_ever']) {
    await claim(made)
    const at = made.clock.now()
    await right(made.ports.accountImports.release([{ key: gasKey, token: 'theirs', failure: { code, at } }]))
    const { latestError } = await right(made.useCases.transferStatus(gasKey))
    t.like(latestError, { code, occurredAt: at })
    t.is(latestError?.detail.includes('unexpected'), code === 'gone_for_ever')
  }
})

const asked = { ...named, reference: String(sample('payment-instruction')['reference']) }

const verifications: readonly (readonly [verification: PaymentVerification, tag: string])[] = [
  [{ _tag: 'not_found' }, 'PaymentInstructionNotFound'],
  [{ _tag: 'not_usable' }, 'PaymentInstructionNotUsable'],
  [{ _tag: 'refused' }, 'PaymentVendorRefused'],
  [{ _tag: 'unavailable', retryAfterSeconds: 7 }, 'PaymentVendorUnavailable'],
  [{ _tag: 'unreachable' }, 'PaymentVendorUnreachable'],
]
for (const [{ _tag, ...told }, tag] of verifications)
  test(`an instruction whose vendor answers ${_tag} is refused as that, and not stored`, async (t) => {
    const made = await service()
    await stage(made)
    await create(made)
    const vendors = inMemoryPaymentVendors(
      new Map([['SANDBOX', new Map([[asked.reference, { _tag, ...told } as PaymentVerification]])]]),
    )
    const useCases = makeUseCases({ ...made.ports, paymentVendors: vendors })
    const refused = await left(
      useCases.addPaymentInstruction({ organisation, payload: sample('payment-instruction') }),
    )
    t.deepEqual<unknown, unknown>(refused, { _tag: tag, ...told, ...asked })
    t.deepEqual((await right(made.ports.accounts.find(gasKey)))?.details.payment_instructions, [])
  })

/** Settings under which accounts in processing are claimed. */
const limited = { settings: { ...defaultServiceSettings, processingConcurrencyLimit: 1 } }

const noOutcome = {
  _tag: 'PortFailure',
  kind: 'unexpected',
  operation: 'list',
  cause: { message: 'no outcome for an item' },
}

test('a store that returns no outcome for an item fails the request', async (t) => {
  const none = async () => E.right([])
  for (const yours of [{}, limited]) {
    const { ports, useCases } = await service(yours)
    const without = (operation: 'stage' | 'claim' | 'create') =>
      makeUseCases(changed(ports, 'accountImports', { [operation]: none }))
    t.like(await left(staging(without('stage'))), noOutcome)
    await right(staging(useCases))
    t.like(await left(processing(without('create'))), noOutcome)
    if ('settings' in yours) t.like(await left(processing(without('claim'))), noOutcome)
  }
})

/** A service with the gas account staged; its ports are changed for processing. */
const withStaged = async (change: (ports: Ports) => Partial<Ports>, yours: Partial<Ports> = {}) => {
  const { ports, useCases } = await service(yours)
  await right(staging(useCases))
  return { ports, useCases, faulty: makeUseCases({ ...ports, ...change(ports) }) }
}

type Kind = 'unexpected' | 'unavailable'
const noNumbers = ({ platformAccountNumbers: numbers }: Ports, kind: Kind = 'unexpected') => ({
  platformAccountNumbers: failing(numbers, 'next', { kind }),
})
const noRelease = ({ accountImports }: Ports) => ({ accountImports: failing(accountImports, 'release') })

for (const [kind, code] of [
  ['unexpected', 'error'],
  ['unavailable', 'service_unavailable'],
] as const)
  test(`a failure (${kind}) during creation releases the claim at once and is recorded on the import`, async (t) => {
    const { useCases, faulty } = await withStaged((ports) => noNumbers(ports, kind))
    t.is(await refusalOf(processing(faulty)), 'PortFailure')
    const status = await right(useCases.transferStatus(gasKey))
    t.deepEqual([status.status, status.attempts, status.latestError?.code], ['UNKNOWN', 1, code])
    await right(processing(useCases))
    const after = await right(useCases.transferStatus(gasKey))
    t.deepEqual([after.status, after.attempts, after.latestError], ['COMPLETED', 2, undefined])
  })

for (const [how, yours] of [
  ['without a claim', {}],
  ['under a claim', limited],
] as const)
  test(`an exception during creation ${how} releases the claim at once too`, async (t) => {
    const next = () => {
      throw new Error('a fault')
    }
    const { useCases, faulty } = await withStaged(() => ({ platformAccountNumbers: { next } }), yours)
    const thrown = { _tag: 'PortFailure', kind: 'unexpected', port: 'processAccount', operation: 'create' }
    t.like(await left(processing(faulty)), thrown)
    t.like(await right(useCases.transferStatus(gasKey)), {
      status: 'UNKNOWN',
      attempts: 1,
      latestError: { code: 'error' },
    })
  })

test('staged data that the store returns damaged is a failure, which is recorded on the import', async (t) => {
  const { ports, useCases } = await service()
  await right(ports.accountImports.stage([{ key: gasKey, payload: '{"cut', at: ports.clock.now() }]))
  const broken = { kind: 'unexpected', port: 'accountImports', operation: 'create' }
  t.like(await left(processing(useCases)), { ...broken, cause: { message: 'staged data is no JSON' } })
  const stored = await right(useCases.transferStatus(gasKey))
  t.like(stored, { status: 'UNKNOWN', attempts: 1, latestError: { code: 'error' } })
})

test('a claim that was taken before a failure of the store is released', async (t) => {
  const failsAfterwards = (ports: Ports) =>
    changed(ports, 'accountImports', {
      claim: async (requests, limit) => {
        await ports.accountImports.claim(requests, limit)
        return failing(ports.accountImports, 'claim').claim(requests, limit)
      },
    })
  const { useCases, faulty } = await withStaged(failsAfterwards, limited)
  t.is(await refusalOf(processing(faulty)), 'PortFailure')
  t.is((await right(useCases.transferStatus(gasKey))).status, 'UNKNOWN')
})

test('a release that fails leaves the claim to its expiry, and the result is the failure of the store', async (t) => {
  const { useCases, faulty } = await withStaged(noRelease, limited)
  t.is(await refusalOf(processing(faulty, { dry_run: true })), 'PortFailure')
  t.is((await right(useCases.transferStatus(gasKey))).status, 'IN_PROGRESS')
})

test('a store that fails during the reading of the reason for a refusal is the result', async (t) => {
  const { ports, useCases } = await service()
  await right(staging(useCases))
  await right(processing(useCases))
  const teams = makeUseCases({ ...ports, operationsTeams: failing(ports.operationsTeams, 'exists') })
  t.like(await left(processing(teams)), { _tag: 'PortFailure', operation: 'exists' })
  const failingPort = (operation: 'find' | 'sameData') =>
    makeUseCases({ ...ports, accountImports: failing(ports.accountImports, operation) })
  t.like(await left(staging(failingPort('sameData'))), { _tag: 'PortFailure', operation: 'sameData' })
  t.like(await left(processing(failingPort('sameData'))), { _tag: 'PortFailure', operation: 'sameData' })
  await right(pausing(useCases))
  t.is(await refusalOf(processing(teams)), 'AccountAlreadyImported')
  for (const operation of ['find', 'sameData'] as const) {
    t.like(await left(staging(failingPort(operation))), { _tag: 'PortFailure', operation })
    t.like(await left(processing(failingPort(operation))), { _tag: 'PortFailure', operation })
  }
})

test('accounts of one list that cannot be compared fail alone', async (t) => {
  const { ports, useCases } = await service()
  for (const external_account_number of ['A', 'B'])
    await right(staging(useCases, { external_account_number }))
  await right(processing(useCases, { external_account_number: 'A' }))
  const accountImports = failing(ports.accountImports, 'sameData')
  const payload = { ...processGas, external_account_numbers: ['A', 'B', 'NOBODY'] }
  const { external_account_number: _, ...request } = payload
  const pages = await right(
    makeUseCases({ ...ports, accountImports }).bulkProcess({ organisation, payload: request }),
  )
  const tags: string[] = []
  for await (const page of pages)
    for (const { outcome } of page) tags.push(outcome._tag === 'Left' ? outcome.left._tag : 'created')
  t.deepEqual(tags, ['PortFailure', 'created', 'NothingStaged'])
})

test('a failed attempt without a claim that cannot be recorded has the failure of the store as its result', async (t) => {
  const { useCases, faulty } = await withStaged(noRelease)
  await right(
    configuring(useCases, { closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' } } }),
  )
  t.like(await left(processing(faulty)), { _tag: 'PortFailure', operation: 'release' })
  t.is(await refusalOf(processing(useCases)), 'AccountFailedValidation')
})

test('a list whose release fails keeps the results of created accounts', async (t) => {
  const { ports, useCases, faulty } = await withStaged(noRelease)
  const broken = { key: keyOf('BROKEN'), payload: '{"a":1}', at: ports.clock.now() }
  await right(ports.accountImports.stage([broken]))
  const { external_account_number: _, ...payload } = processGas
  const pages = await right(faulty.bulkProcess({ organisation, payload }))
  const outcomes: string[] = []
  for await (const page of pages)
    for (const { outcome } of page)
      outcomes.push(outcome._tag === 'Right' ? 'created' : `${outcome.left._tag}`)
  t.deepEqual(outcomes.toSorted(), ['PortFailure', 'created'])
  t.is((await right(useCases.transferStatus(gasKey))).status, 'COMPLETED')
})

test('the result of a failed creation with a failed release is the failure of the creation', async (t) => {
  const { faulty } = await withStaged((ports) => ({ ...noNumbers(ports), ...noRelease(ports) }))
  t.like(await left(processing(faulty)), { operation: 'next' })
})

type Call = (useCases: UseCases) => Promise<Either<unknown, unknown>>
const authenticate: Call = async ({ authenticate: of, operator, obtainToken }) => {
  const key = await operator.createApiKey({ organisation })
  if (E.isLeft(key)) return key
  const tokens = await obtainToken({ credentials: { apiKey: key.right.apiKey }, address: 'here' })
  return E.isLeft(tokens) ? tokens : of(tokens.right.token)
}
const keyed = { organisation, key: 'k', method: 'POST', path: '/', content: 'c' }
const noHash = { ...webCryptoSecrets, hash: () => Promise.reject(new Error('made to fail')) }

const begun: Call = ({ answerOnce }) => answerOnce(keyed, () => Promise.reject(new Error('was begun')))
const validate: Call = ({ validateAccount }) =>
  validateAccount({ organisation, payload: sample('gas-account') })

type Broken = (ports: Ports) => Partial<Ports>
const unreadKey: Broken = ({ apiKeys }) => ({ apiKeys: failing(apiKeys, 'find', { nth: 2 }) })
const noVerification: Broken = ({ accessTokens }) => ({ accessTokens: failing(accessTokens, 'verify') })
const noSessions: Broken = ({ refreshTokens }) => ({ refreshTokens: failing(refreshTokens, 'hasEnded') })
const noImports: Broken = ({ accountImports }) => ({ accountImports: failing(accountImports, 'find') })
const noAnswers: Broken = ({ idempotencyRecords }) => ({
  idempotencyRecords: failing(idempotencyRecords, 'claim'),
})

const calls: readonly (readonly [why: string, broken: Broken, call: Call])[] = [
  ['tokens cannot be verified', noVerification, authenticate],
  ['the key of a token cannot be read', unreadKey, authenticate],
  ['the key cannot be read', ({ apiKeys }) => ({ apiKeys: failing(apiKeys, 'find') }), authenticate],
  ['the session of a token cannot be read', noSessions, authenticate],
  ['the import cannot be read while an account is validated', noImports, validate],
  ['nothing can be hashed', () => ({ secrets: noHash }), begun],
  ['answers cannot be claimed', noAnswers, begun],
]
for (const [why, broken, call] of calls)
  test(`the result is the failure of the port when ${why}`, async (t) => {
    const { ports } = await service()
    t.like(await left(call(makeUseCases({ ...ports, ...broken(ports) }))), { _tag: 'PortFailure' })
  })

test('a run over all staged accounts ends with the failure of the store that lists them', async (t) => {
  const { ports } = await service()
  const accountImports = failing(ports.accountImports, 'stagedPage')
  const { external_account_number: _, ...payload } = processGas
  const pages = await right(makeUseCases({ ...ports, accountImports }).bulkProcess({ organisation, payload }))
  const thrown: unknown = await t.throwsAsync(pages[Symbol.asyncIterator]().next(), { any: true })
  t.like(thrown, { _tag: 'PortFailure', operation: 'stagedPage' })
})
