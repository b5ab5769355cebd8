import type { StorePorts } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { defaultServiceSettings } from '../ports/settings.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import { supplierUseCases, type SupplierUseCases } from '../operating/suppliers.js'
import { builtInSettings } from '../validation/supplier-settings.js'
import { after, anApiKey, everySetting, foundSupplier, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { lookAlikes } from './look-alikes.js'

/** The same settings with their keys in reverse order. */
const reversed = (settings: SupplierSettings): SupplierSettings =>
  Object.fromEntries(Object.entries(settings).reverse()) as SupplierSettings

const operatorOn = (stores: StorePorts): SupplierUseCases =>
  supplierUseCases({ ...stores, settings: defaultServiceSettings, clock: { now: () => start } })

const outcomeOf = async (answer: ReturnType<SupplierUseCases['createSupplier']>): Promise<string> => {
  const either = await answer
  return either._tag === 'Left' ? either.left._tag : either.right.settings.documentRoot
}

/** The list of a port to a caller in JavaScript, whose arguments no type checks; empty where the port fails. */
const listedTo = async <A>(
  port: Readonly<{ list(...given: readonly unknown[]): PortResult<readonly A[]> }>,
  given: readonly unknown[],
): Promise<readonly A[]> => {
  const answer = await port.list(...given)
  return answer._tag === 'Right' ? answer.right : []
}

/** Suppliers, organisations, teams and keys: their data, the comparison of their names, and document roots. */
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
      const codes = (await right(importSuppliers.listAll())).map(({ code }) => code)
      equal([codes.includes(supplier.code), codes.includes(homeless.code)], [true, false])
      equal(await right(importSuppliers.list(supplier.organisation)), [supplier])
      equal(await right(importSuppliers.list(homeless.organisation)), [])
    },
    'status and settings change whole, at once, and are returned as saved': async (ports) => {
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
    'the revision of a supplier is a short text that each change of its settings changes': async (ports) => {
      const { organisation, code, settings } = await freshSupplier(ports)
      const { importSuppliers } = ports
      const revision = async () => (await right(importSuppliers.find(organisation, code)))?.revision ?? ''
      const first = await revision()
      equal(await revision(), first)
      const revisions = new Set([first])
      let before = settings
      for (const documentRoot of ['a', 'A', 'a ', 'x'.repeat(300)]) {
        const changed = { ...everySetting, documentRoot }
        equal(await right(importSuppliers.saveSettings(code, before, changed)), 'saved')
        revisions.add(await revision())
        before = changed
      }
      equal(revisions.size, 5)
      equal(
        [...revisions].every(({ length }) => length > 0 && length <= 64),
        true,
      )
    },
    'settings are saved only over those that the change was made from, in any order of keys': async (
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
      equal((await right(importSuppliers.findByCode(code)))?.settings, first, 'absent settings are removed')
    },
    'none of 20 concurrent changes of settings is lost': async (ports) => {
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
    'a key is returned as stored, and keeps its first revocation': async (ports) => {
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
  ...casesOf<StorePorts>('Organisations', {
    'codes that look alike are different organisations, in order of code point': async ({
      organisations,
    }) => {
      const codes = lookAlikes(freshCode('org'))
      const named = (code: string) => ({
        code,
        name: ` ${code} S.A. `,
        createdAt: after(0.001),
        disabledAt: undefined,
      })
      for (const code of codes.toReversed()) {
        equal(await right(organisations.find(code)), undefined)
        equal(await right(organisations.create(named(code))), 'created')
        equal(await right(organisations.create({ ...named(code), name: 'other' })), 'code_taken')
      }
      for (const code of codes) equal(await right(organisations.find(code)), named(code))
      const listed = (await right(organisations.list())).filter(({ code }) => codes.includes(code))
      equal(listed, codes.map(named))
    },
  }),
  ...casesOf<StorePorts>('ImportSuppliers', {
    'codes that look alike are different suppliers, in order of code point; a change is of one': async (
      ports,
    ) => {
      const { importSuppliers } = ports
      const { organisation } = await freshSupplier(ports)
      const code = freshCode('sup')
      const settings = { ...builtInSettings, documentRoot: code }
      const codes = lookAlikes(code)
      for (const each of codes.toReversed()) {
        equal(await right(importSuppliers.findByCode(each)), undefined)
        equal(await right(importSuppliers.find(organisation, each)), undefined)
        equal(await right(importSuppliers.setStatus(each, 'paused')), false)
        const supplier = { organisation, code: each, status: 'ongoing', settings } as const
        equal(await right(importSuppliers.create(supplier)), 'created')
        equal(await right(importSuppliers.create(supplier)), 'code_taken')
      }
      equal(await right(importSuppliers.setStatus(code, 'complete')), true)
      equal(await right(importSuppliers.saveSettings(code, settings, everySetting)), 'saved')
      const expected = codes.map((each) =>
        each === code
          ? { organisation, code: each, status: 'complete', settings: everySetting }
          : { organisation, code: each, status: 'ongoing', settings },
      )
      for (const [index, each] of codes.entries()) {
        equal(await right(importSuppliers.findByCode(each)), expected[index])
        equal(await foundSupplier(ports, organisation, each), expected[index])
      }
      equal(
        (await right(importSuppliers.listAll())).filter((each) => codes.includes(each.code)),
        expected,
      )
    },
    'an organisation that only looks alike has neither suppliers nor API keys': async (ports) => {
      const codes = lookAlikes(freshCode('org'))
      const supplier = { status: 'paused', settings: everySetting } as const
      for (const organisation of codes) {
        const code = freshCode('SUP')
        equal(
          await right(ports.importSuppliers.create({ ...supplier, organisation, code })),
          'organisation_does_not_exist',
        )
        equal(await right(ports.apiKeys.create(anApiKey(organisation))), 'organisation_does_not_exist')
        await right(
          ports.organisations.create({
            code: organisation,
            name: 'n',
            createdAt: start,
            disabledAt: undefined,
          }),
        )
        equal(await right(ports.importSuppliers.create({ ...supplier, organisation, code })), 'created')
        for (const each of codes)
          equal(
            await foundSupplier(ports, each, code),
            each === organisation ? { ...supplier, organisation, code } : undefined,
          )
      }
    },
  }),
  ...casesOf<StorePorts>('OperationsTeams', {
    'the teams of an organisation are those bound to it, with all their organisations, and those bound to none':
      async (ports) => {
        const { operationsTeams } = ports
        const [one, two] = [await freshSupplier(ports), await freshSupplier(ports)]
        const [free, ofOne, ofBoth, ofTwo] = ['A', 'B', 'C', 'D'].map((name) => freshCode(name)) as [
          string,
          string,
          string,
          string,
        ]
        for (const name of [free, ofOne, ofBoth, ofTwo]) await right(operationsTeams.create(name))
        const bind = (name: string, { organisation }: typeof one) =>
          right(operationsTeams.bind(name, organisation))
        for (const name of [ofOne, ofBoth]) await bind(name, one)
        for (const name of [ofBoth, ofTwo]) await bind(name, two)
        const ours = async (teams: ReturnType<typeof operationsTeams.listAll>) =>
          (await right(teams)).filter(({ name }) => [free, ofOne, ofBoth, ofTwo].includes(name))
        const both = [one.organisation, two.organisation].toSorted()
        equal(await ours(operationsTeams.list(one.organisation)), [
          { name: free, organisations: [] },
          { name: ofOne, organisations: [one.organisation] },
          { name: ofBoth, organisations: both },
        ])
        equal((await ours(operationsTeams.listAll())).length, 4)
      },
    'a list without an organisation has nothing that belongs to one': async (ports) => {
      const { importSuppliers, operationsTeams } = ports
      const { organisation } = await freshSupplier(ports)
      const team = freshCode('BOUND')
      await right(operationsTeams.create(team))
      await right(operationsTeams.bind(team, organisation))
      for (const none of [[], [undefined], [null], ['']]) {
        const [suppliers, teams] = [
          await listedTo(importSuppliers, none),
          await listedTo(operationsTeams, none),
        ]
        equal(suppliers, [])
        equal(
          teams.filter(({ organisations }) => organisations.length > 0),
          [],
        )
      }
    },
    'names that look alike are different teams, in order of code point': async ({ operationsTeams }) => {
      const names = lookAlikes(freshCode('equipo ñ'))
      for (const name of names.toReversed()) {
        equal(await right(operationsTeams.exists(name, 'ACME')), false)
        equal(await right(operationsTeams.create(name)), 'created')
        equal(await right(operationsTeams.create(name)), 'name_taken')
        equal(await right(operationsTeams.exists(name, 'ACME')), true)
      }
      equal(
        (await right(operationsTeams.listAll())).filter(({ name }) => names.includes(name)),
        names.map((name) => ({ name, organisations: [] })),
      )
    },
  }),
  ...casesOf<StorePorts>('ApiKeys', {
    'keys are listed in order of creation, then id, and ids are compared exactly': async (ports) => {
      const { organisation } = await freshSupplier(ports)
      const { id } = anApiKey(organisation)
      const [late, second, first] = [
        anApiKey(organisation, { id: `A${id.slice(1)}`, createdAt: after(0.002) }),
        anApiKey(organisation, { id: `b${id.slice(1)}`, createdAt: after(0.001), revokedAt: after(3) }),
        anApiKey(organisation, { id: `a${id.slice(1)}`, createdAt: after(0.001) }),
      ]
      for (const key of [late, second, first]) equal(await right(ports.apiKeys.create(key)), 'created')
      for (const none of [`B${id.slice(1)}`, `${late.id} `, ` ${late.id}`]) {
        equal(await right(ports.apiKeys.find(none)), undefined)
        equal(await right(ports.apiKeys.revoke(none, start)), false)
      }
      equal(await right(ports.apiKeys.revoke(first.id, after(9))), true)
      const ours = (await right(ports.apiKeys.list())).filter((each) => each.organisation === organisation)
      equal(ours, [{ ...first, revokedAt: after(9) }, second, late])
    },
  }),
  ...casesOf<StorePorts>('ImportSuppliers', {
    'a supplier has a document root of its own, which may be shared within its organisation alone': async (
      ports,
    ) => {
      const { createSupplier: create } = operatorOn(ports)
      const [{ organisation }, other] = [await freshSupplier(ports), await freshSupplier(ports)]
      const first = freshCode('SUP')
      equal(await outcomeOf(create({ code: first, organisation })), `${organisation}/${first}`)
      const root = freshCode('Root')
      const rooted = (documentRoot: string, of: string) =>
        outcomeOf(create({ code: freshCode('SUP'), organisation: of, documentRoot }))
      equal(await rooted(`${root}/in`, organisation), `${root}/in`)
      const near = [`${root}/in`, `${root}/in/deeper`, root, `${root.toUpperCase()}/IN`]
      const readAlike = [
        `${root}%2Fin`,
        `${root}%252fin`,
        `${root}/%69n`,
        `${root}%2F.%2Fin`,
        `${root}%2f%2fin/deeper`,
      ]
      for (const documentRoot of [...near, ...readAlike])
        equal(await rooted(documentRoot, other.organisation), 'DocumentRootTaken')
      for (const documentRoot of near.slice(0, 3))
        equal(await rooted(documentRoot, organisation), documentRoot)
      for (const documentRoot of [`${root}-2`, `${root}x/in`])
        equal(await rooted(documentRoot, other.organisation), documentRoot)
    },
    'a change to a document root that overlaps another organisation is refused, other changes are saved':
      async (ports) => {
        const { configureSupplier: configure } = operatorOn(ports)
        const [supplier, other] = [await freshSupplier(ports), await freshSupplier(ports)]
        const change = (documentRoot: string) =>
          outcomeOf(configure({ code: supplier.code, change: (settings) => ({ ...settings, documentRoot }) }))
        for (const root of [
          other.settings.documentRoot,
          `${other.settings.documentRoot}/in`,
          other.organisation,
          '',
        ])
          equal(await change(root), 'DocumentRootTaken')
        equal(await foundSupplier(ports, supplier.organisation, supplier.code), supplier)
        const free = freshCode('root')
        equal(await change(free), free)
        const overlapping = { ...supplier.settings, documentRoot: other.settings.documentRoot }
        await right(
          ports.importSuppliers.saveSettings(
            supplier.code,
            { ...supplier.settings, documentRoot: free },
            overlapping,
          ),
        )
        const configured = await right(
          configure({ code: supplier.code, change: (settings) => ({ ...settings, retentionDays: 5 }) }),
        )
        equal(configured.settings, { ...overlapping, retentionDays: 5 })
      },
  }),
]
