import type { StorePorts } from '../ports/index.js'
import { defaultServiceSettings } from '../ports/settings.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import { supplierUseCases } from '../use-cases/operator/suppliers.js'
import { builtInSettings } from '../validation/supplier-settings.js'
import { after, anApiKey, everySetting, foundSupplier, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'

/** The same settings with their keys the other way round. */
const reversed = (settings: SupplierSettings): SupplierSettings =>
  Object.fromEntries(Object.entries(settings).reverse()) as SupplierSettings

/** Organisations, suppliers, teams and keys. */
export const registerCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('ImportSuppliers', {
    'a supplier is found by its own organisation only, and its code is unique in the service': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const other = await freshSupplier(ports)
      const { importSuppliers } = ports
      equal(await foundSupplier(ports, supplier.organisation, supplier.code), supplier)
      equal(await right(importSuppliers.find(other.organisation, supplier.code)), undefined)
      equal(await right(importSuppliers.find(supplier.organisation, supplier.code.toLowerCase())), undefined)
      equal(await right(importSuppliers.findByCode(supplier.code)), supplier)
      equal(
        await right(importSuppliers.create({ ...supplier, organisation: other.organisation })),
        'code_taken',
      )
      const homeless = { ...supplier, code: freshCode('SUP'), organisation: freshCode('none') }
      equal(await right(importSuppliers.create(homeless)), 'organisation_does_not_exist')
      const codes = (await right(importSuppliers.list())).map(({ code }) => code)
      equal([codes.includes(supplier.code), codes.includes(homeless.code)], [true, false])
    },
    'status and settings change whole, at once, and come back as saved': async (ports) => {
      const { organisation, code, settings: first } = await freshSupplier(ports)
      const { importSuppliers } = ports
      equal(await right(importSuppliers.setStatus(code, 'paused')), true)
      equal(await right(importSuppliers.saveSettings(code, first, everySetting)), 'saved')
      equal(await right(importSuppliers.saveSettings(code, everySetting, everySetting)), 'saved')
      equal(await right(importSuppliers.setStatus(code, 'paused')), true)
      const saved = { organisation, code, status: 'paused', settings: everySetting }
      equal(await foundSupplier(ports, organisation, code), saved)
      equal(await right(importSuppliers.setStatus(freshCode('none'), 'ongoing')), false)
      const none = freshCode('none')
      equal(await right(importSuppliers.saveSettings(none, builtInSettings, everySetting)), 'does_not_exist')
    },
    'settings are saved only over those that the change was made from, in whatever order of keys': async (
      ports,
    ) => {
      const { code, settings: first } = await freshSupplier(ports)
      const { importSuppliers } = ports
      equal(await right(importSuppliers.saveSettings(code, first, everySetting)), 'saved')
      const shouted = { ...everySetting, documentRoot: 'LEVANTE/2025' }
      for (const stale of [first, shouted])
        equal(await right(importSuppliers.saveSettings(code, stale, first)), 'changed_meanwhile')
      equal((await right(importSuppliers.findByCode(code)))?.settings, everySetting)
      equal(await right(importSuppliers.saveSettings(code, reversed(everySetting), first)), 'saved')
      equal((await right(importSuppliers.findByCode(code)))?.settings, first, 'what is absent is gone')
    },
    'of 20 changes of settings at the same time none is lost': async (ports) => {
      const { code } = await freshSupplier(ports)
      const domains = Array.from({ length: 20 }, (_, index) => `d${index}.example`)
      const clock = { now: () => start }
      const operator = supplierUseCases({ ...ports, clock, settings: defaultServiceSettings })
      const add = (domain: string) =>
        operator.configureSupplier({
          code,
          change: ({ internalEmailDomains, ...others }) => ({
            ...others,
            internalEmailDomains: [...internalEmailDomains, domain],
          }),
        })
      await Promise.all(domains.map((domain) => right(add(domain))))
      const saved = (await right(ports.importSuppliers.findByCode(code)))?.settings.internalEmailDomains
      equal([...(saved ?? [])].sort(), [...domains].sort())
    },
  }),
  ...casesOf<StorePorts>('ApiKeys', {
    'a key comes back as kept, and the first revocation stands': async (ports) => {
      const { organisation } = await freshSupplier(ports)
      const record = anApiKey(organisation, { expiresAt: after(1000), scopes: ['stage', 'read'] })
      equal(await right(ports.apiKeys.create(record)), 'created')
      equal(await right(ports.apiKeys.create(anApiKey(freshCode('none')))), 'organisation_does_not_exist')
      equal(await right(ports.apiKeys.find(record.id)), { ...record, isOrganisationDisabled: false })
      equal(await right(ports.apiKeys.revoke(record.id, after(5))), true)
      equal(await right(ports.apiKeys.revoke(record.id, after(9))), true)
      equal(await right(ports.apiKeys.find(record.id)), {
        ...record,
        revokedAt: after(5),
        isOrganisationDisabled: false,
      })
      equal(await right(ports.apiKeys.revoke('none', start)), false)
      const later = anApiKey(organisation, { createdAt: after(1) })
      await right(ports.apiKeys.create(later))
      const ours = (await right(ports.apiKeys.list())).filter((each) => each.organisation === organisation)
      equal(
        ours.map(({ id }) => id),
        [record.id, later.id],
      )
    },
  }),
]
