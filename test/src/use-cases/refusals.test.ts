import test from 'ava'
import { makeUseCases, type PaymentVerification, type Ports, type UseCases } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { plusSeconds } from '@account-import/core/testing'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, processGas, right, service, settableClock } from './support/service.js'

const payload = sample('gas-account')
const named = { importSupplier: 'LEVANTE', externalAccountNumber: gasKey.externalAccountNumber }

type Made = Readonly<{ ports: Ports; useCases: UseCases; clock: ReturnType<typeof settableClock> }>

const make = async (): Promise<Made> => {
  const clock = settableClock()
  return { ...(await service({ clock })), clock }
}

const stage = ({ useCases }: Made) => right(useCases.stageAccount({ organisation, payload }))
const pause = ({ useCases }: Made) =>
  right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'paused' }))
const skip = ({ useCases }: Made) => right(useCases.operator.setSkipped({ ...named, skipped: true }))
const create = ({ useCases }: Made) => right(useCases.processAccount({ organisation, payload: processGas }))
const claim = ({ ports, clock }: Made) => {
  const at = clock.now()
  const theirs = { key: gasKey, token: 'theirs', at, expiresAt: plusSeconds(at, 10), countsAsAttempt: true }
  return right(ports.accountImports.claim([theirs]))
}

type Expected = Readonly<{
  staging: string
  validating: readonly string[]
  processing: string
  status: string
}>

const states: readonly (readonly [
  state: string,
  reached: readonly ((made: Made) => Promise<unknown>)[],
  expected: Expected,
])[] = [
  [
    'unknown',
    [],
    { staging: 'created', validating: [], processing: 'NothingStaged', status: 'AccountImportNotFound' },
  ],
  ['staged', [stage], { staging: 'replaced', validating: [], processing: 'created', status: 'UNKNOWN' }],
  [
    'in progress',
    [stage, claim],
    {
      staging: 'AccountImportInProgress',
      validating: ['external_account_number account_import_in_progress'],
      processing: 'AccountProcessedElsewhere',
      status: 'IN_PROGRESS',
    },
  ],
  [
    'staged, after a claim that has expired',
    [stage, claim, async ({ clock }) => clock.pass(10)],
    { staging: 'replaced', validating: [], processing: 'created', status: 'UNKNOWN' },
  ],
  [
    'created',
    [stage, create],
    {
      staging: 'AccountAlreadyImported',
      validating: ['external_account_number account_already_imported'],
      processing: 'AccountAlreadyImported',
      status: 'COMPLETED',
    },
  ],
  [
    'staged and marked to be skipped',
    [stage, skip],
    {
      staging: 'AccountMarkedToSkip',
      validating: ['external_account_number account_marked_to_skip'],
      processing: 'AccountMarkedToSkip',
      status: 'UNKNOWN',
    },
  ],
  [
    'marked to be skipped and nothing else',
    [skip],
    {
      staging: 'AccountMarkedToSkip',
      validating: ['external_account_number account_marked_to_skip'],
      processing: 'AccountMarkedToSkip',
      status: 'UNKNOWN',
    },
  ],
  [
    'unknown, of a supplier that is paused',
    [pause],
    {
      staging: 'SupplierNotOngoing',
      validating: ['import_supplier import_supplier_migration_not_ongoing'],
      processing: 'SupplierNotOngoing',
      status: 'AccountImportNotFound',
    },
  ],
  [
    'staged, of a supplier that is paused',
    [stage, pause],
    {
      staging: 'SupplierNotOngoing',
      validating: ['import_supplier import_supplier_migration_not_ongoing'],
      processing: 'SupplierNotOngoing',
      status: 'UNKNOWN',
    },
  ],
  [
    'in progress, of a supplier that is paused',
    [stage, claim, pause],
    {
      staging: 'AccountImportInProgress',
      validating: [
        'import_supplier import_supplier_migration_not_ongoing',
        'external_account_number account_import_in_progress',
      ],
      processing: 'AccountProcessedElsewhere',
      status: 'IN_PROGRESS',
    },
  ],
  [
    'created, of a supplier that is paused',
    [stage, create, pause],
    {
      staging: 'AccountAlreadyImported',
      validating: [
        'import_supplier import_supplier_migration_not_ongoing',
        'external_account_number account_already_imported',
      ],
      processing: 'AccountAlreadyImported',
      status: 'COMPLETED',
    },
  ],
]

const tagOr = async <A>(call: ReturnType<typeof TE.of<{ _tag: string }, A>>, of: (value: A) => string) => {
  const answer = await call()
  return answer._tag === 'Left' ? answer.left._tag : of(answer.right)
}

for (const [state, reached, expected] of states) {
  const inState = async () => {
    const made = await make()
    for (const step of reached) await step(made)
    return made
  }

  test(`an account that is ${state}: what staging, validating, processing and its status answer`, async (t) => {
    const { useCases } = await inState()
    const validated = await right(useCases.validateAccount({ organisation, payload }))
    t.deepEqual(
      validated.warnings.map(({ attr, code }) => `${attr} ${code}`),
      [...expected.validating],
    )
    t.is(await tagOr(useCases.transferStatus(gasKey), ({ status }) => status), expected.status)
    const staged = useCases.stageAccount({ organisation, payload })
    t.is(await tagOr(staged, ({ outcome }) => outcome), expected.staging)
    const other = (await inState()).useCases.processAccount({ organisation, payload: processGas })
    t.is(await tagOr(other, () => 'created'), expected.processing)
  })

  test(`an account that is ${state}: a team that does not exist is told last`, async (t) => {
    const { useCases } = await inState()
    const nobody = { ...processGas, operations_team_name: 'Nobody' }
    const answer = await tagOr(useCases.processAccount({ organisation, payload: nobody }), () => 'created')
    t.is(answer, expected.processing === 'created' ? 'OperationsTeamDoesNotExist' : expected.processing)
  })
}

test('what is refused names the account that is there, and when it is worth asking again', async (t) => {
  const made = await make()
  await stage(made)
  await claim(made)
  const processing = () => left(made.useCases.processAccount({ organisation, payload: processGas }))
  t.deepEqual<unknown, unknown>(await processing(), {
    _tag: 'AccountProcessedElsewhere',
    retryAfterSeconds: 1,
  })
  made.clock.pass(10)
  const { platformAccountNumber } = await create(made)
  const already = {
    _tag: 'AccountAlreadyImported',
    externalAccountNumber: gasKey.externalAccountNumber,
    platformAccountNumber,
  }
  t.deepEqual<unknown, unknown>(await processing(), already)
  t.deepEqual<unknown, unknown>(await left(made.useCases.stageAccount({ organisation, payload })), already)
})

test('a latest error that no version of the service knows any more has the text of an unexpected one', async (t) => {
  const made = await make()
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

const verifications: readonly (readonly [verification: PaymentVerification, refusal: object])[] = [
  [{ _tag: 'not_found' }, { _tag: 'PaymentInstructionNotFound', ...asked }],
  [{ _tag: 'not_usable' }, { _tag: 'PaymentInstructionNotUsable', ...asked }],
  [{ _tag: 'refused' }, { _tag: 'PaymentVendorRefused', ...asked }],
  [
    { _tag: 'unavailable', retryAfterSeconds: 7 },
    { _tag: 'PaymentVendorUnavailable', retryAfterSeconds: 7, ...asked },
  ],
  [{ _tag: 'unreachable' }, { _tag: 'PaymentVendorUnreachable', ...asked }],
]
for (const [verification, refusal] of verifications)
  test(`an instruction that its vendor answers with ${verification._tag} is refused as that, and not stored`, async (t) => {
    const made = await make()
    await stage(made)
    await create(made)
    const vendors = inMemoryPaymentVendors(new Map([['SANDBOX', new Map([[asked.reference, verification]])]]))
    const useCases = makeUseCases({ ...made.ports, paymentVendors: vendors })
    const refused = await left(
      useCases.addPaymentInstruction({ organisation, payload: sample('payment-instruction') }),
    )
    t.deepEqual<unknown, unknown>(refused, refusal)
    t.deepEqual((await right(made.ports.accounts.find(gasKey)))?.details.payment_instructions, [])
  })

test('a store that decides nothing of what it was asked, or always otherwise, is a failure', async (t) => {
  const { ports } = await make()
  const outcomes = [[], [{ _tag: 'supplier_changed' as const }]]
  for (const outcome of outcomes) {
    const accountImports = { ...ports.accountImports, stage: () => TE.right(outcome) }
    const refused = await left(
      makeUseCases({ ...ports, accountImports }).stageAccount({ organisation, payload }),
    )
    t.like(refused, {
      _tag: 'PortFailure',
      kind: 'unexpected',
      operation: outcome.length === 0 ? 'list' : 'stage',
    })
  }
})
