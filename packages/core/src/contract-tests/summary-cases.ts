import type { ImportSupplier } from '../domain/import-supplier.js'
import type { StorePorts } from '../ports/index.js'
import { after, aStaging, claimed, freshNumber, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const summaryAt = (ports: StorePorts, { organisation, code }: ImportSupplier, seconds = 0) =>
  right(ports.accountImports.summary(organisation, code, after(seconds)))

const failed = async (ports: StorePorts, supplier: ImportSupplier, number: string, code: string) => {
  const key = keyOf(supplier, number)
  const token = await claimed(ports, key)
  await right(ports.accountImports.release([{ key, token, failure: { code, at: start } }]))
}

const nothing = { staged: 0, inProgress: 0, created: 0, skipped: 0, failed: 0, errors: [] }

/** The imports of a supplier, counted. */
export const summaryCases = casesOf<StorePorts>('AccountImports', {
  'a summary counts each import of the supplier once, as what it is': async (ports) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    const key = (name: string) => keyOf(supplier, name)
    equal(await summaryAt(ports, supplier), nothing)
    await right(ports.accountImports.stage([aStaging(keyOf(other, 'not ours'))]))
    await right(ports.accountImports.stage(['a', 'b', 'skipped'].map((name) => aStaging(key(name)))))
    for (const name of ['skipped', 'only marked', 'unmarked'])
      await right(ports.accountImports.setSkipped(key(name), true, start))
    await right(ports.accountImports.setSkipped(key('unmarked'), false, start))
    await claimed(ports, key('busy'))
    for (const name of ['x', 'y', 'z']) {
      const token = await claimed(ports, key(name))
      await right(
        ports.accountImports.complete([
          { key: key(name), token, platformAccountNumber: freshNumber(), at: start },
        ]),
      )
    }
    const counts = { ...nothing, staged: 2, inProgress: 1, created: 3, skipped: 2 }
    equal(await summaryAt(ports, supplier), counts)
    equal(await summaryAt(ports, supplier, 59), counts)
    equal(await summaryAt(ports, supplier, 60), { ...counts, staged: 3, inProgress: 0 })
  },
  'a summary counts the last errors of staged imports, the most frequent first, then by code': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    for (const number of ['1', '2']) await failed(ports, supplier, number, 'error')
    for (const number of ['3', '4', '5', '6']) await failed(ports, supplier, number, 'b_code')
    for (const number of ['7', '8']) await failed(ports, supplier, number, 'a_code')
    // Earlier failures count no more: it is another code, skipped, created, or in progress again.
    await failed(ports, supplier, '6', 'error')
    await failed(ports, supplier, 'skipped', 'error')
    await right(ports.accountImports.setSkipped(keyOf(supplier, 'skipped'), true, start))
    await failed(ports, supplier, 'created', 'error')
    const created = keyOf(supplier, 'created')
    const token = await claimed(ports, created)
    await right(
      ports.accountImports.complete([
        { key: created, token, platformAccountNumber: freshNumber(), at: start },
      ]),
    )
    await failed(ports, supplier, 'busy', 'error')
    await claimed(ports, keyOf(supplier, 'busy'))
    const counts = { staged: 8, inProgress: 1, created: 1, skipped: 1, failed: 8 }
    const errors = [
      { code: 'b_code', count: 3 },
      { code: 'error', count: 3 },
      { code: 'a_code', count: 2 },
    ]
    equal(await summaryAt(ports, supplier), { ...counts, errors })
    equal(await summaryAt(ports, supplier, 60), {
      ...counts,
      staged: 9,
      inProgress: 0,
      failed: 9,
      errors: [
        { code: 'error', count: 4 },
        { code: 'b_code', count: 3 },
        { code: 'a_code', count: 2 },
      ],
    })
  },
})
