import type { StagedImport, StagedPageRequest } from '../ports/account-imports.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import type { StorePorts } from '../ports/index.js'
import { after, aStaging, claimed, freshNumber, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const stageAt = (ports: StorePorts, supplier: ImportSupplier, seconds: number, numbers: readonly string[]) =>
  right(
    ports.accountImports.stage(
      numbers.map((number) => aStaging(keyOf(supplier, number), '{"a":1}', after(seconds))),
    ),
  )

const pageOf = (
  ports: StorePorts,
  { organisation, code: importSupplier }: ImportSupplier,
  request: Partial<StagedPageRequest> = {},
) =>
  right(
    ports.accountImports.stagedPage({
      organisation,
      importSupplier,
      until: after(100),
      limit: 1000,
      ...request,
    }),
  )

const numbersOf = (items: readonly StagedImport[]): readonly string[] =>
  items.map(({ externalAccountNumber }) => externalAccountNumber)

/** Staged accounts, page by page, oldest first. */
export const stagedPageCases = casesOf<StorePorts>('AccountImports', {
  'the page of staged imports holds what is neither skipped nor created, also under a live claim': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    equal(await pageOf(ports, supplier), [])
    await stageAt(ports, other, 0, ['not ours'])
    await stageAt(ports, supplier, 3, ['staged', 'skipped'])
    for (const number of ['skipped', 'only marked', 'unmarked'])
      await right(ports.accountImports.setSkipped(keyOf(supplier, number), true, start))
    await right(ports.accountImports.setSkipped(keyOf(supplier, 'unmarked'), false, start))
    await claimed(ports, keyOf(supplier, 'busy'), after(1))
    const created = keyOf(supplier, 'created')
    const token = await claimed(ports, created)
    await right(
      ports.accountImports.complete([
        { key: created, token, platformAccountNumber: freshNumber(), at: start },
      ]),
    )
    equal(await pageOf(ports, supplier), [
      { externalAccountNumber: 'busy', firstStagedAt: after(1) },
      { externalAccountNumber: 'staged', firstStagedAt: after(3) },
    ])
  },
  'an import keeps its place among the staged ones when it is staged again or was skipped for a while':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      await right(ports.accountImports.setSkipped(keyOf(supplier, 'marked first'), true, start))
      await right(ports.accountImports.setSkipped(keyOf(supplier, 'marked first'), false, start))
      await stageAt(ports, supplier, 1, ['c', 'marked first'])
      await stageAt(ports, supplier, 2, ['b', 'a'])
      await stageAt(ports, supplier, 9, ['c', 'a'])
      await right(ports.accountImports.setSkipped(keyOf(supplier, 'b'), true, after(9)))
      equal(numbersOf(await pageOf(ports, supplier)), ['c', 'marked first', 'a'])
      await right(ports.accountImports.setSkipped(keyOf(supplier, 'b'), false, after(9)))
      equal(await pageOf(ports, supplier), [
        { externalAccountNumber: 'c', firstStagedAt: after(1) },
        { externalAccountNumber: 'marked first', firstStagedAt: after(1) },
        { externalAccountNumber: 'a', firstStagedAt: after(2) },
        { externalAccountNumber: 'b', firstStagedAt: after(2) },
      ])
    },
  'pages of staged imports follow each other without gaps, also among those of one instant': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const atOnce = [' a', '0', 'A', 'a', 'a ', 'a\u0301', '\u00e1', '\ufb01', '\uffe6', '\u{10000}']
    await stageAt(ports, supplier, 2, ['later', 'earlier'])
    await stageAt(ports, supplier, 1, [...atOnce].reverse())
    await stageAt(ports, supplier, 0, ['z'])
    const seen: StagedImport[] = []
    for (;;) {
      const last = seen.at(-1)
      const page = await pageOf(ports, supplier, { limit: 3, ...(last && { after: last }) })
      if (page.length === 0) break
      equal(page.length, Math.min(3, 13 - seen.length))
      seen.push(...page)
    }
    equal(numbersOf(seen), ['z', ...atOnce, 'earlier', 'later'])
  },
  'the staged imports end with those of the instant that is given': async (ports) => {
    const supplier = await freshSupplier(ports)
    for (const seconds of [1, 2, 3]) await stageAt(ports, supplier, seconds, [`${seconds}a`, `${seconds}b`])
    equal(numbersOf(await pageOf(ports, supplier, { until: after(2) })), ['1a', '1b', '2a', '2b'])
    equal(numbersOf(await pageOf(ports, supplier, { until: after(0) })), [])
    const from = (number: string, seconds: number, until: number) =>
      pageOf(ports, supplier, {
        after: { externalAccountNumber: number, firstStagedAt: after(seconds) },
        until: after(until),
      })
    equal(numbersOf(await from('1b', 1, 2)), ['2a', '2b'])
    equal(numbersOf(await from('2a', 2, 1)), [])
  },
})
