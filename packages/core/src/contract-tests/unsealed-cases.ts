import type { AuditEntry } from '../domain/audit-entry.js'
import type { StorePorts } from '../ports/index.js'
import { aStaging, after, freshCode, freshKey } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const by = { who: 'key 0123', requestId: 'r-1' }

/** Entries that wait to be sealed: how they come to wait, and how they are found. */
export const unsealedCases = casesOf<StorePorts>('AuditTrail', {
  'a use of a key is recorded each time, its first one from a network as such too, once': async (ports) => {
    const organisation = freshCode('ORG')
    const apiKeyId = freshCode('key')
    const use = (network: string, second: number) => {
      const entry = { organisation, at: after(second), by, subject: network } as const
      const told = {
        entry: { ...entry, what: 'logged_in' },
        ifNew: { ...entry, what: 'new_address' },
      } as const
      return right(ports.auditTrail.recordUse({ apiKeyId, network, ...told }))
    }
    await Promise.all([use('192.0.2.1', 1), use('192.0.2.1', 2), use('192.0.2.1', 3)])
    await use('2001:db8::/64', 4)
    await use('192.0.2.1', 5)
    const silent = (network: string, second: number) => {
      const ifNew = { organisation, at: after(second), by, subject: network, what: 'new_address' } as const
      return right(ports.auditTrail.recordUse({ apiKeyId, network, entry: undefined, ifNew }))
    }
    await silent('192.0.2.1', 6)
    await silent('198.51.100.1', 7)
    await silent('198.51.100.1', 8)
    const entries = await right(ports.auditTrail.unsealed({ organisation }, 100))
    const of = (what: string, subject: string): number =>
      entries.filter((entry) => entry.what === what && entry.subject === subject).length
    equal([of('logged_in', '192.0.2.1'), of('new_address', '192.0.2.1')], [4, 1])
    equal([of('logged_in', '2001:db8::/64'), of('new_address', '2001:db8::/64')], [1, 1])
    equal([of('logged_in', '198.51.100.1'), of('new_address', '198.51.100.1')], [0, 1])
    equal(entries.length, 8)
  },
  'what waits to be sealed is looked for until so many are found as are wanted': async (ports) => {
    const { accountImports, auditTrail } = ports
    const key = await freshKey(ports)
    const { organisation, importSupplier } = key
    const [before, behind] = [`!${importSupplier}`, `~${importSupplier}`]
    const entry = (supplier: string, index: number): AuditEntry => ({
      organisation,
      importSupplier: supplier,
      externalAccountNumber: `n-${index % 3}`,
      at: after(index),
      what: 'notes_added',
      by,
      subject: String(index),
    })
    const indexes = Array.from({ length: 9 }, (_, index) => index)
    for (const supplier of [before, importSupplier, behind])
      await right(auditTrail.record(indexes.map((index) => entry(supplier, index))))
    const found = async (filter: object, limit: number) =>
      (await right(auditTrail.unsealed({ organisation, ...filter }, limit))).map(({ subject }) =>
        Number(subject),
      )
    equal(await found({ importSupplier }, 3), [0, 1, 2])
    equal(await found({ importSupplier: behind, from: after(7) }, 2), [7, 8])
    equal(await found({ importSupplier, externalAccountNumber: 'n-2' }, 3), [2, 5, 8])
    equal(await found({ importSupplier, until: after(2) }, 5), [0, 1])
    equal((await found({ from: after(8) }, 3)).length, 3)
    for (const index of [20, 21, 22, 23, 24]) {
      const staging = aStaging({ ...key, externalAccountNumber: `n-${index}` }, '{}', after(index))
      await right(accountImports.stage([staging]))
    }
    const staged = await right(auditTrail.unsealed({ organisation, importSupplier, from: after(22) }, 2))
    equal(
      staged.slice(0, 2).map(({ what }) => what),
      ['staged', 'staged'],
    )
    equal(
      staged.slice(0, 2).map(({ at }) => at),
      [after(22), after(23)],
    )
  },
})
