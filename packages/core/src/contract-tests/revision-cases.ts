import type { ImportSupplier } from '../domain/import-supplier.js'
import type { ClaimRequest } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  aStaging,
  claimed,
  everySetting,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  revisionOf,
  start,
} from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'

const changed = { _tag: 'supplier_changed' }

/** Changes of a supplier that is ongoing and has its first settings. */
const changes: readonly ((ports: StorePorts, supplier: ImportSupplier) => Promise<unknown>)[] = [
  ({ importSuppliers }, { code }) => right(importSuppliers.setStatus(code, 'paused')),
  ...['a', 'A', 'a '].map(
    (documentRoot) =>
      ({ importSuppliers }: StorePorts, { code, settings }: ImportSupplier) =>
        right(importSuppliers.saveSettings(code, settings, { ...settings, documentRoot })),
  ),
]

const failed = { _tag: 'precondition_failed' }

type Precondition = NonNullable<ClaimRequest['precondition']>

/** The present revision of the supplier, and a team that every organisation may use. */
const preconditionOf = async (ports: StorePorts, supplier: ImportSupplier): Promise<Precondition> => {
  const operationsTeam = freshCode('team')
  await right(ports.operationsTeams.create(operationsTeam))
  return { supplierRevision: await revisionOf(ports, supplier), operationsTeam }
}

/** Changes that make a precondition fail. */
const failures: readonly ((
  ports: StorePorts,
  supplier: ImportSupplier,
  precondition: Precondition,
) => Promise<Precondition>)[] = [
  ...changes.map(
    (change) => async (ports: StorePorts, supplier: ImportSupplier, precondition: Precondition) => {
      await change(ports, supplier)
      return precondition
    },
  ),
  async (_ports, _supplier, precondition) => ({ ...precondition, operationsTeam: freshCode('no team') }),
  async (ports, _supplier, precondition) => {
    const { organisation } = await freshSupplier(ports)
    await right(ports.operationsTeams.bind(precondition.operationsTeam, organisation))
    return precondition
  },
]

/** Stagings and claims that require a revision or a precondition. */
export const revisionCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('ImportSuppliers', {
    'a supplier keeps its revision until its status or settings change, and each state has another one':
      async (ports) => {
        const supplier = await freshSupplier(ports)
        const { code } = supplier
        const first = await revisionOf(ports, supplier)
        await right(ports.importSuppliers.setStatus(code, 'ongoing'))
        await right(ports.accountImports.stage([aStaging(keyOf(supplier, '1'))]))
        equal(await revisionOf(ports, supplier), first)
        await right(ports.importSuppliers.setStatus(code, 'complete'))
        const revisions = [first, await revisionOf(ports, supplier)]
        for (const [index, settings] of [everySetting, { ...everySetting, documentRoot: 'B' }].entries()) {
          const before = index === 0 ? supplier.settings : everySetting
          equal(await right(ports.importSuppliers.saveSettings(code, before, settings)), 'saved')
          revisions.push(await revisionOf(ports, supplier))
        }
        equal(new Set(revisions).size, 4)
      },
  }),
  ...casesOf<StorePorts>('AccountImports', {
    'a staging that requires the present revision of its supplier is decided like any other': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const supplierRevision = await revisionOf(ports, supplier)
      const [fresh, busy] = [keyOf(supplier, 'fresh'), keyOf(supplier, 'busy')]
      await claimed(ports, busy)
      const payload = `{"b":1,"a":"\\u0000 \u{1F600} é e\u0301 \\\\ ' \\" % ${'x'.repeat(70_000)}"}\n `
      const stage = async (...keys: readonly (typeof fresh)[]) =>
        right(
          ports.accountImports.stage(keys.map((key) => ({ ...aStaging(key, payload), supplierRevision }))),
        )
      equal(await stage(fresh), [{ _tag: 'created', version: 1 }])
      equal(await right(ports.accountImports.staged(fresh)), { version: 1, payload })
      equal(await stage(fresh), [{ _tag: 'replaced', version: 2 }])
      equal(await stage(busy), [{ _tag: 'in_progress' }])
      const skipped = keyOf(supplier, 'skipped')
      await right(ports.accountImports.setSkipped(skipped, true, start))
      equal(await stage(skipped), [{ _tag: 'marked_to_skip' }])
      equal(await stage(busy, keyOf(supplier, 'other'), fresh), [
        { _tag: 'in_progress' },
        { _tag: 'created', version: 1 },
        { _tag: 'replaced', version: 3 },
      ])
    },
    'a staging that requires an earlier revision changes nothing, regardless of other refusals': async (
      ports,
    ) => {
      for (const change of changes) {
        const supplier = await freshSupplier(ports)
        const supplierRevision = await revisionOf(ports, supplier)
        const [fresh, staged, busy] = [keyOf(supplier, 'a'), keyOf(supplier, 'b'), keyOf(supplier, 'c')]
        await right(ports.accountImports.stage([aStaging(staged, '{"before":1}')]))
        await claimed(ports, busy)
        await change(ports, supplier)
        for (const key of [fresh, staged, busy])
          equal(await right(ports.accountImports.stage([{ ...aStaging(key), supplierRevision }])), [changed])
        equal(await right(ports.accountImports.find(fresh)), undefined)
        equal(await right(ports.accountImports.staged(staged)), { version: 1, payload: '{"before":1}' })
        const now = { ...aStaging(fresh), supplierRevision: await revisionOf(ports, supplier) }
        equal(await right(ports.accountImports.stage([now])), [{ _tag: 'created', version: 1 }])
      }
    },
    'a revision is valid for its own supplier and organisation only': async (ports) => {
      const supplier = await freshSupplier(ports)
      const supplierRevision = await revisionOf(ports, supplier)
      const other = await freshKey(ports)
      const none = keyOf({ ...supplier, code: freshCode('none') }, '1')
      for (const key of [none, { ...other, importSupplier: supplier.code }])
        equal(await right(ports.accountImports.stage([{ ...aStaging(key), supplierRevision }])), [changed])
    },
    'each staging of a list requires the revision of its own supplier, and outcomes keep their order': async (
      ports,
    ) => {
      const [stays, changes, free] = [
        await freshSupplier(ports),
        await freshSupplier(ports),
        await freshSupplier(ports),
      ] as const
      const [revision, stale] = [await revisionOf(ports, stays), await revisionOf(ports, changes)]
      await right(ports.importSuppliers.setStatus(changes.code, 'paused'))
      await right(ports.importSuppliers.setStatus(free.code, 'paused'))
      const stagings = [
        { ...aStaging(keyOf(changes, '1')), supplierRevision: stale },
        { ...aStaging(keyOf(stays, '1')), supplierRevision: revision },
        aStaging(keyOf(free, '1')),
        { ...aStaging(keyOf(changes, '2')), supplierRevision: stale },
        { ...aStaging(keyOf(stays, '2')), supplierRevision: revision },
      ]
      const created = { _tag: 'created', version: 1 }
      equal(await right(ports.accountImports.stage(stagings)), [changed, created, created, changed, created])
      equal(await right(ports.accountImports.find(keyOf(changes, '1'))), undefined)
    },
  }),
  ...casesOf<StorePorts>('UnitOfWork', {
    'a staging inside a unit of work checks the revision of its supplier': async (ports) => {
      const supplier = await freshSupplier(ports)
      const staging = {
        ...aStaging(keyOf(supplier, '1')),
        supplierRevision: await revisionOf(ports, supplier),
      }
      const stage = () => right(ports.unitOfWork.run(({ accountImports }) => accountImports.stage([staging])))
      equal(await stage(), [{ _tag: 'created', version: 1 }])
      await right(ports.importSuppliers.setStatus(supplier.code, 'paused'))
      equal(await stage(), [changed])
    },
  }),
  ...casesOf<StorePorts>('AccountImports', {
    'a claim whose precondition holds is decided like any other': async (ports) => {
      const supplier = await freshSupplier(ports)
      const precondition = await preconditionOf(ports, supplier)
      const [fresh, staged, busy, skipped] = [
        keyOf(supplier, 'a'),
        keyOf(supplier, 'b'),
        keyOf(supplier, 'c'),
        keyOf(supplier, 'd'),
      ] as const
      await right(ports.accountImports.stage([aStaging(staged, '{"s":1}')]))
      await claimed(ports, busy)
      await right(ports.accountImports.setSkipped(skipped, true, start))
      const requests = [fresh, staged, busy, skipped].map((key) => ({
        ...aClaim(key, freshCode('token')),
        precondition,
      }))
      equal(await right(ports.accountImports.claim(requests)), [
        { _tag: 'not_staged' },
        { _tag: 'claimed', version: 1, payload: '{"s":1}' },
        { _tag: 'in_progress' },
        { _tag: 'marked_to_skip' },
      ])
    },
    'a claim whose precondition fails changes nothing, regardless of other refusals, also under a limit':
      async (ports) => {
        for (const fail of failures) {
          const supplier = await freshSupplier(ports)
          const precondition = await fail(ports, supplier, await preconditionOf(ports, supplier))
          const [fresh, staged, busy] = [keyOf(supplier, 'a'), keyOf(supplier, 'b'), keyOf(supplier, 'c')]
          await right(ports.accountImports.stage([aStaging(staged)]))
          await claimed(ports, busy)
          for (const [index, key] of [fresh, staged, busy].entries()) {
            const request = { ...aClaim(key, freshCode('token')), precondition }
            const limit = index === 1 ? 1000 : undefined
            equal(await right(ports.accountImports.claim([request], limit)), [failed])
          }
          equal(await right(ports.accountImports.find(fresh)), undefined)
          const { claim, attempts } = (await right(ports.accountImports.find(staged))) ?? {}
          equal([claim, attempts], [undefined, 0])
        }
      },
    'each claim of a list has its own precondition, and outcomes keep their order': async (ports) => {
      const [supplier, other] = [await freshSupplier(ports), await freshSupplier(ports)]
      const [first, second] = [await preconditionOf(ports, supplier), await preconditionOf(ports, other)]
      const wrong = { ...first, operationsTeam: freshCode('no team') }
      const keys = [
        keyOf(supplier, 'a'),
        keyOf(supplier, 'b'),
        keyOf(other, 'a'),
        keyOf(supplier, 'c'),
      ] as const
      await right(ports.accountImports.stage(keys.map((key) => aStaging(key))))
      const taken = { _tag: 'claimed', version: 1, payload: '{"a":1}' }
      const requests = [
        { ...aClaim(keys[0], freshCode('token')), precondition: wrong },
        { ...aClaim(keys[1], freshCode('token')), precondition: first },
        { ...aClaim(keys[2], freshCode('token')), precondition: second },
        aClaim(keys[3], freshCode('token')),
      ]
      equal(await right(ports.accountImports.claim(requests)), [failed, taken, taken, taken])
    },
  }),
]
