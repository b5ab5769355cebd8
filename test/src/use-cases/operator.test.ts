import test from 'ava'
import { builtInSettings, makeUseCases, type SupplierSettings, type UseCases } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import {
  configuring,
  gasKey,
  left,
  organisation,
  pausing,
  processing,
  refusalOf,
  right,
  service,
  settableClock,
  staging,
} from './support/service.js'

test('an organisation is named by its code, unless it has a name; all are listed', async (t) => {
  const clock = settableClock()
  const { useCases } = await service({ clock })
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

test('a supplier begins ongoing with the settings of its markets, or as it is said', async (t) => {
  const { useCases } = await service()
  const shown = await right(useCases.operator.showSupplier('LEVANTE'))
  t.like(shown, { organisation, code: 'LEVANTE', status: 'ongoing' })
  t.deepEqual(shown.settings, { ...builtInSettings, documentRoot: `${organisation}/LEVANTE` })
  const said = { code: 'NEW', organisation, status: 'complete', documentRoot: 'in/new' } as const
  await right(useCases.operator.createSupplier(said))
  const other = await right(useCases.operator.showSupplier('NEW'))
  t.deepEqual([other.status, other.settings], ['complete', { ...shown.settings, documentRoot: 'in/new' }])
  t.deepEqual(
    (await right(useCases.operator.listSuppliers())).map(({ code }) => code),
    ['LEVANTE', 'NEW'],
  )
})

test('a status that is set is shown, and holds', async (t) => {
  const { useCases } = await service()
  const set = await right(pausing(useCases))
  t.is(set.status, 'paused')
  t.is((await right(useCases.operator.showSupplier('LEVANTE'))).status, 'paused')
})

test('a key may do everything for a year, unless it is said otherwise; no two are alike', async (t) => {
  const clock = settableClock()
  const { ports, useCases } = await service({ clock })
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

test('a key that is meant to last has no end, and is listed by its name', async (t) => {
  const { useCases } = await service()
  const made = await right(
    useCases.operator.createApiKey({ organisation, name: 'Nightly import', expiresAt: 'never' }),
  )
  t.like(made.record, { name: 'Nightly import', expiresAt: undefined })
  const listed = await right(useCases.operator.listApiKeys())
  t.deepEqual(
    listed.map(({ name, expiresAt }) => [name, expiresAt]),
    [['Nightly import', undefined]],
  )
})

test('a mark to skip is set and removed, tells whether it changed, and keeps an account from being staged', async (t) => {
  const { useCases } = await service()
  const named = { importSupplier: 'LEVANTE', externalAccountNumber: gasKey.externalAccountNumber }
  const set = (skipped: boolean) => useCases.operator.setSkipped({ ...named, skipped })
  t.deepEqual(await right(set(true)), { changed: true })
  t.deepEqual(await right(set(true)), { changed: false })
  t.is(await refusalOf(staging(useCases)), 'AccountMarkedToSkip')
  t.deepEqual(await right(set(false)), { changed: true })
  await right(staging(useCases))
})

test('an account that is created, or in progress, cannot be skipped', async (t) => {
  const clock = settableClock()
  const { ports, useCases } = await service({ clock })
  const named = { importSupplier: 'LEVANTE', externalAccountNumber: gasKey.externalAccountNumber }
  await right(staging(useCases))
  const at = clock.now()
  const claim = { key: gasKey, token: 'theirs', at, expiresAt: plusSeconds(at, 10), countsAsAttempt: true }
  await right(ports.accountImports.claim([claim]))
  t.deepEqual(await left(useCases.operator.setSkipped({ ...named, skipped: true })), {
    _tag: 'AccountImportInProgress',
  })
  clock.pass(11)
  await right(processing(useCases))
  t.deepEqual(await left(useCases.operator.setSkipped({ ...named, skipped: true })), {
    _tag: 'AccountIsImported',
  })
  t.like(await right(useCases.operator.showAccount(named)), { key: gasKey })
})

const configure = (useCases: UseCases, change: (settings: SupplierSettings) => SupplierSettings) =>
  configuring(useCases, change)

test('settings are checked whole before they are saved, but for severities that were saved before', async (t) => {
  const { ports, useCases } = await service()
  const refused = await left(
    configure(useCases, (settings) => ({ ...settings, severities: { nothing: 'off' } })),
  )
  t.is(refused._tag, 'InputNotValid')
  const saved = (await right(useCases.operator.showSupplier('LEVANTE'))).settings
  // As a market did that the service had once.
  await right(
    ports.importSuppliers.saveSettings('LEVANTE', saved, { ...saved, severities: { nothing: 'off' } }),
  )
  const changed = await right(configure(useCases, (settings) => ({ ...settings, documentRoot: 'in' })))
  t.deepEqual(changed.settings, { ...saved, documentRoot: 'in', severities: { nothing: 'off' } })
  t.deepEqual((await right(useCases.operator.showSupplier('LEVANTE'))).settings, changed.settings)
  const other = (settings: SupplierSettings): SupplierSettings => ({
    ...settings,
    severities: { nothing: 'warn' },
  })
  t.is(await refusalOf(configure(useCases, other)), 'InputNotValid')
})

/** Others change the settings so many times while they are being changed. */
const changedMeanwhile = async (times: number) => {
  const { ports } = await service()
  let left = times
  const { importSuppliers } = ports
  const contested = makeUseCases({
    ...ports,
    importSuppliers: {
      ...importSuppliers,
      saveSettings: (code, from, to) => async () => {
        if (left > 0) {
          left -= 1
          await right(importSuppliers.saveSettings(code, from, { ...from, documentRoot: `other ${left}` }))
        }
        return importSuppliers.saveSettings(code, from, to)()
      },
    },
  })
  const change = (settings: SupplierSettings): SupplierSettings => ({ ...settings, migrationEmails: true })
  return configure(contested, change)
}

test('a change goes on from what others saved meanwhile, and gives up after 50 times', async (t) => {
  const { settings } = await right(await changedMeanwhile(49))
  t.deepEqual([settings.documentRoot, settings.migrationEmails], ['other 0', true])
  t.like(await left(await changedMeanwhile(50)), {
    _tag: 'PortFailure',
    kind: 'unavailable',
    operation: 'saveSettings',
  })
})
