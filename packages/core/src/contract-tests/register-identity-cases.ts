import type { StorePorts } from '../ports/index.js'
import { builtInSettings } from '../validation/supplier-settings.js'
import { after, anApiKey, everySetting, foundSupplier, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { lookAlikes } from './look-alikes.js'

/** Codes and names of the registers are compared exactly, and listed in order of code point. */
export const registerIdentityCases: readonly ContractCase<StorePorts>[] = [
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
        (await right(importSuppliers.list())).filter((each) => codes.includes(each.code)),
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
    'names that look alike are different teams, in order of code point': async ({ operationsTeams }) => {
      const names = lookAlikes(freshCode('equipo ñ'))
      for (const name of names.toReversed()) {
        equal(await right(operationsTeams.exists(name, 'ACME')), false)
        equal(await right(operationsTeams.create(name)), 'created')
        equal(await right(operationsTeams.create(name)), 'name_taken')
        equal(await right(operationsTeams.exists(name, 'ACME')), true)
      }
      equal(
        (await right(operationsTeams.list())).filter(({ name }) => names.includes(name)),
        names.map((name) => ({ name, organisations: [] })),
      )
    },
  }),
  ...casesOf<StorePorts>('ApiKeys', {
    'keys are listed in order of creation, then id; an id that only looks alike is no key': async (ports) => {
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
]
