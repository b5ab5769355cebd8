import test from 'ava'
import { builtInSettings, type UseCases } from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import {
  changed,
  claimElsewhere,
  configuring,
  gasKey,
  left,
  organisation,
  processGas,
  processing,
  refusalOf,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

test('the name of an organisation is its code by default, and all are listed', async (t) => {
  const { clock, useCases } = await service()
  const named = await right(useCases.operator.createOrganisation({ code: 'B', name: 'Bee' }))
  t.deepEqual(named, { code: 'B', name: 'Bee', createdAt: clock.now(), disabledAt: undefined })
  t.deepEqual(
    (await right(useCases.operator.listOrganisations())).map(({ code, name }) => [code, name]),
    [
      [organisation, organisation],
      ['B', 'Bee'],
    ],
  )
})

test('a supplier begins ongoing with the settings of its markets, or with the given ones', async (t) => {
  const { useCases } = await service()
  const shown = await right(useCases.operator.showSupplier('LEVANTE'))
  t.like(shown, { organisation, code: 'LEVANTE', status: 'ongoing' })
  t.deepEqual(shown.settings, { ...builtInSettings, documentRoot: `${organisation}/LEVANTE` })
  const said = { code: 'NEW', organisation, status: 'complete', documentRoot: 'in/new' } as const
  await right(useCases.operator.createSupplier(said))
  const other = await right(useCases.operator.showSupplier('NEW'))
  t.deepEqual([other.status, other.settings], ['complete', { ...shown.settings, documentRoot: 'in/new' }])
  const codes = (await right(useCases.operator.listSuppliers())).map(({ code }) => code)
  t.deepEqual(codes, ['LEVANTE', 'NEW'])
})

test('a key has all scopes for a year by default, and each key is unique', async (t) => {
  const { clock, ports, useCases } = await service()
  const first = await right(useCases.operator.createApiKey({ organisation }))
  t.deepEqual(first.record.scopes, ['validate', 'stage', 'process', 'post-import', 'read'])
  t.deepEqual(
    [first.record.expiresAt, first.record.revokedAt],
    [plusSeconds(clock.now(), 365 * 86_400), undefined],
  )
  const expiresAt = plusSeconds(clock.now(), 60)
  const second = await right(useCases.operator.createApiKey({ organisation, scopes: ['read'], expiresAt }))
  t.like(second.record, { scopes: ['read'], expiresAt, createdAt: clock.now(), organisation })
  t.not(first.record.id, second.record.id)
  t.deepEqual(
    (await right(useCases.operator.listApiKeys())).map(({ id }) => id).toSorted(),
    [first.record.id, second.record.id].toSorted(),
  )
  t.deepEqual(await right(useCases.operator.revokeApiKey(first.record.id)), { id: first.record.id })
  t.is((await right(ports.apiKeys.find(first.record.id)))?.revokedAt, clock.now())
})

test('a key without an end is listed by its name', async (t) => {
  const { useCases } = await service()
  const made = await right(
    useCases.operator.createApiKey({ organisation, name: 'Nightly import', expiresAt: 'never' }),
  )
  t.like(made.record, { name: 'Nightly import', expiresAt: undefined })
  const listed = await right(useCases.operator.listApiKeys())
  const named = listed.map(({ name, expiresAt }) => [name, expiresAt])
  t.deepEqual(named, [['Nightly import', undefined]])
})

test('a mark to skip is set and removed, reports whether it changed, and refuses staging', async (t) => {
  const { useCases } = await service()
  const set = (skipped: boolean) => useCases.operator.setSkipped({ ...gasKey, skipped })
  t.deepEqual(await right(set(true)), { changed: true })
  t.deepEqual(await right(set(true)), { changed: false })
  t.is(await refusalOf(staging(useCases)), 'AccountMarkedToSkip')
  t.deepEqual(await right(set(false)), { changed: true })
  await right(staging(useCases))
})

test('a created account, and one in progress, cannot be skipped', async (t) => {
  const { clock, ports, useCases } = await service()
  const skip = () => useCases.operator.setSkipped({ ...gasKey, skipped: true })
  await right(staging(useCases))
  await claimElsewhere(ports)
  t.deepEqual(await left<unknown, unknown>(skip()), { _tag: 'AccountImportInProgress' })
  clock.pass(11)
  await right(processing(useCases))
  t.deepEqual(await left<unknown, unknown>(skip()), { _tag: 'AccountIsImported' })
  t.like(await right(useCases.operator.showAccount(gasKey)), { key: gasKey })
})

test('settings are checked whole before they are saved, except severities that were saved before', async (t) => {
  const { ports, useCases } = await service()
  const severities = { nothing: 'off' } as const
  t.is(await refusalOf(configuring(useCases, { severities })), 'InputNotValid')
  const saved = (await right(useCases.operator.showSupplier('LEVANTE'))).settings
  // As a market did that the service had once.
  await right(ports.importSuppliers.saveSettings('LEVANTE', saved, { ...saved, severities }))
  const changed = await right(configuring(useCases, { documentRoot: 'in' }))
  t.deepEqual(changed.settings, { ...saved, documentRoot: 'in', severities })
  t.deepEqual((await right(useCases.operator.showSupplier('LEVANTE'))).settings, changed.settings)
  t.is(await refusalOf(configuring(useCases, { severities: { nothing: 'warn' } })), 'InputNotValid')
})

/** Changes the settings this number of times while they are being changed. */
const changedMeanwhile = async (times: number) => {
  const { ports } = await service()
  let left = times
  const { importSuppliers } = ports
  const contested = makeUseCases(
    changed(ports, 'importSuppliers', {
      saveSettings: async (code, from, to) => {
        if (left > 0) {
          left -= 1
          await right(importSuppliers.saveSettings(code, from, { ...from, documentRoot: `other ${left}` }))
        }
        return importSuppliers.saveSettings(code, from, to)
      },
    }),
  )
  return configuring(contested, { migrationEmails: true })
}

test('a change of settings starts from concurrent changes, and gives up after 50 attempts', async (t) => {
  const { settings } = await right(await changedMeanwhile(49))
  t.deepEqual([settings.documentRoot, settings.migrationEmails], ['other 0', true])
  t.like(await left(await changedMeanwhile(50)), {
    _tag: 'PortFailure',
    kind: 'unavailable',
    operation: 'saveSettings',
  })
})

type Operator = UseCases['operator']

type Call = (operator: Operator) => Promise<Either<unknown, unknown>>

const [team, nobody] = [processGas.operations_team_name, 'NOBODY']
const unknownPair = { importSupplier: nobody, externalAccountNumber: 'A' }
const notCreated = { importSupplier: 'LEVANTE', externalAccountNumber: 'A' }

/** For each kind: the reason why it does not exist for an operator, the call, and the name in the refusal. */
const absent: Readonly<Record<string, readonly (readonly [why: string, call: Call, name?: string])[]>> = {
  organisation: [
    [
      'a supplier of an unknown organisation',
      (of) => of.createSupplier({ code: 'NEW', organisation: nobody }),
    ],
    ['to bind a team to an unknown organisation', (of) => of.bindTeam({ name: team, organisation: nobody })],
    ['to disable an unknown organisation', (of) => of.disableOrganisation(nobody)],
    ['to enable an unknown organisation', (of) => of.enableOrganisation(nobody)],
    ['to revoke an unknown organisation', (of) => of.revokeOrganisation(nobody)],
    ['a key of an unknown organisation', (of) => of.createApiKey({ organisation: nobody })],
  ],
  'operations team': [
    ['to bind an unknown team', (of) => of.bindTeam({ name: nobody, organisation })],
    ['to unbind an unknown team', (of) => of.unbindTeam({ name: nobody, organisation })],
  ],
  'API key': [
    ['to replace an unknown key', (of) => of.rotateApiKey({ id: nobody })],
    ['to end an unknown key', (of) => of.revokeApiKey(nobody)],
  ],
  'import supplier': [
    ['to show an unknown supplier', (of) => of.showSupplier(nobody)],
    ['to pause an unknown supplier', (of) => of.setSupplierStatus({ code: nobody, status: 'paused' })],
    [
      'to configure an unknown supplier',
      (of) => of.configureSupplier({ code: nobody, change: (saved) => saved }),
    ],
    ['to skip an account of an unknown supplier', (of) => of.setSkipped({ ...unknownPair, skipped: true })],
    ['the documents of an unknown supplier', (of) => of.missingDocuments(nobody)],
    [
      'the e-mails of an unknown supplier',
      (of) => of.listEmails({ importSupplier: nobody, list: undefined }),
    ],
  ],
  account: [['to show an account that was not created', (of) => of.showAccount(notCreated), 'A']],
  'e-mail': [['no e-mail', (of) => of.retryEmail(nobody)]],
}

const inOtherRoot: Call = async (operator) => {
  await right(operator.createOrganisation({ code: 'BETA' }))
  return operator.createSupplier({ code: 'NEW', organisation: 'BETA', documentRoot: organisation })
}
const rootTaken = {
  _tag: 'DocumentRootTaken',
  documentRoot: organisation,
  importSupplier: 'LEVANTE',
  otherRoot: `${organisation}/LEVANTE`,
}
const exists = (subject: string, name: string) => ({ _tag: 'AlreadyExists', subject, name })

const refusals: readonly (readonly [why: string, call: Call, refusal: object])[] = [
  [
    'an organisation whose code is taken',
    (of) => of.createOrganisation({ code: organisation }),
    exists('organisation', organisation),
  ],
  [
    'a supplier whose code is taken',
    (of) => of.createSupplier({ code: 'LEVANTE', organisation }),
    exists('import supplier', 'LEVANTE'),
  ],
  ['a team whose name is taken', (of) => of.createTeam(team), exists('operations team', team)],
  ['the documents of another organisation', inOtherRoot, rootTaken],
  ...Object.entries(absent).flatMap(([subject, calls]) =>
    calls.map(([why, call, name = nobody]) => [why, call, { _tag: 'DoesNotExist', subject, name }] as const),
  ),
]
for (const [why, call, refusal] of refusals)
  test(`an operator is refused ${why}, with the reason`, async (t) => {
    const { useCases } = await service()
    t.deepEqual<unknown, unknown>(await left(call(useCases.operator)), refusal)
  })

const pastRoot = { code: '', organisation: '', status: 'gone' as 'ongoing', documentRoot: '/../a' }
const noNames = { importSupplier: '', externalAccountNumber: '' }
const invalid: readonly (readonly [why: string, call: Call, errors: string])[] = [
  ['an organisation', (of) => of.createOrganisation({ code: '', name: 'n'.repeat(256) }), 'code name'],
  ['a supplier', (of) => of.createSupplier(pastRoot), 'code organisation status documentRoot'],
  ['a status', (of) => of.setSupplierStatus({ code: 'LEVANTE', status: 'gone' as 'paused' }), 'status'],
  [
    'a supplier whose code can be no folder, and that has no other root',
    (of) => of.createSupplier({ code: '..', organisation }),
    'documentRoot',
  ],
  ['the name of a key', (of) => of.createApiKey({ organisation, name: '' }), 'name'],
  ['a team', (of) => of.createTeam(''), 'name'],
  ['the name of an account', (of) => of.showAccount(noNames), 'importSupplier externalAccountNumber'],
]
for (const [why, call, attributes] of invalid)
  test(`all faults of ${why} are reported at once`, async (t) => {
    const { useCases } = await service()
    type Told = Readonly<{ _tag: string; errors: readonly { attr: string }[] }>
    const refused = (await left(call(useCases.operator))) as Told
    t.is(refused._tag, 'InputNotValid')
    t.is(refused.errors.map(({ attr }) => attr).join(' '), attributes)
  })

const foreign = 'OTHER'

/** A service with a second organisation, which has nothing. */
const world = async () => {
  const verified = new Map([['SANDBOX', new Map([['pm', { _tag: 'verified' as const, details: {} }]])]])
  const paymentVendors = inMemoryPaymentVendors(verified, new Map([['SANDBOX', [foreign]]]))
  const made = await service({ paymentVendors })
  const { operator } = made.useCases
  await right(operator.createOrganisation({ code: foreign }))
  await right(staging(made.useCases))
  return { ...made, operator }
}

const bulk = (operations_team_name: string) => ({
  organisation,
  payload: { import_supplier_code: 'LEVANTE', operations_team_name },
})

test('a team of another organisation does not exist, and exists when it is unbound', async (t) => {
  const { operator, useCases } = await world()
  await right(operator.bindTeam({ name: team, organisation: foreign }))
  const named = (operations_team_name: string) => processing(useCases, { operations_team_name })
  t.deepEqual(await left(named(team)), await left(named('Nobody')))
  t.deepEqual(await left(useCases.bulkProcess(bulk(team))), await left(useCases.bulkProcess(bulk('Nobody'))))
  t.is(await refusalOf(named(team)), 'OperationsTeamDoesNotExist')
  t.deepEqual(await right(operator.bindTeam({ name: team, organisation })), {
    name: team,
    organisations: [organisation, foreign],
  })
  await right(named(team))
  await right(operator.unbindTeam({ name: team, organisation }))
  t.is(await refusalOf(useCases.bulkProcess(bulk(team))), 'OperationsTeamDoesNotExist')
  t.deepEqual(await right(operator.unbindTeam({ name: team, organisation: foreign })), {
    name: team,
    organisations: [],
  })
  await right(useCases.bulkProcess(bulk(team)))
})

test('a vendor of another organisation is not registered', async (t) => {
  const { useCases } = await world()
  await right(processing(useCases))
  const naming = (vendor: string) =>
    useCases.addPaymentInstruction({
      organisation,
      payload: { ...sample('payment-instruction'), vendor, reference: 'pm' },
    })
  t.deepEqual(await left(naming('SANDBOX')), await left(naming('NOBODY')))
  t.like(await left(naming('SANDBOX')), {
    _tag: 'RequestFailedValidation',
    errors: [{ code: 'payment_vendor_not_registered', attr: 'vendor' }],
  })
})
