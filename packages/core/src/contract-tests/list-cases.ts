import type { ImportSupplier } from '../domain/import-supplier.js'
import type { AccountImportList, StagedImport, StagedPageRequest } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import { after, aSmallAccount, aStaging, claimed, created, freshSupplier, keyOf, start } from './builders.js'
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

const summaryAt = (ports: StorePorts, { organisation, code }: ImportSupplier, seconds = 0) =>
  right(ports.accountImports.summary(organisation, code, after(seconds)))

const failed = async (ports: StorePorts, supplier: ImportSupplier, number: string, code: string) => {
  const key = keyOf(supplier, number)
  const token = await claimed(ports, key)
  await right(ports.accountImports.release([{ key, token, failure: { code, at: start } }]))
}

const nothing = { staged: 0, inProgress: 0, created: 0, skipped: 0, failed: 0, errors: [] }

/** The three lists and their pages; pages of staged accounts, oldest first; counts of the imports of a supplier. */
export const listCases = casesOf<StorePorts>('AccountImports', {
  'each list contains its imports: all, pending and imported': async (ports) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    const key = (name: string) => keyOf(supplier, name)
    await right(ports.accountImports.stage(['staged', 'skipped'].map((name) => aStaging(key(name)))))
    await right(ports.accountImports.stage([aStaging(keyOf(other, 'not ours'))]))
    await right(ports.accountImports.setSkipped(key('skipped'), true, start))
    await right(ports.accountImports.setSkipped(key('only marked'), true, start))
    await claimed(ports, key('busy'))
    const { platformAccountNumber } = await created(ports, aSmallAccount(key('created')))
    const { organisation, code: importSupplier } = supplier
    const list = (name: AccountImportList) =>
      right(
        ports.accountImports.page({
          organisation,
          importSupplier,
          list: name,
          after: undefined,
          limit: 10,
        }),
      )
    const pending = { platformAccountNumber: undefined, accountCreatedAt: undefined }
    const imported = { externalAccountNumber: 'created', platformAccountNumber, accountCreatedAt: start }
    const item = (externalAccountNumber: string) => ({ externalAccountNumber, ...pending })
    equal(await list('all'), [item('busy'), imported, item('skipped'), item('staged')])
    equal(await list('pending'), [item('busy'), item('staged')])
    equal(await list('imported'), [imported])
  },
  'pages follow each other in order of code point, without gaps or repetitions': async (ports) => {
    const supplier = await freshSupplier(ports)
    const inOrder = [
      '',
      ' a',
      '0',
      'A',
      'B',
      'a',
      'a ',
      'a\u0301',
      'b',
      '\u00e1',
      '\u4e00',
      '\ufb01',
      '\uffe6',
      '\u{10000}',
      '\u{1F600}',
    ].slice(1)
    const shuffled = [...inOrder].sort(
      (left, right) =>
        ((left.length * 7 + (left.codePointAt(0) ?? 0)) % 11) -
        ((right.length * 7 + (right.codePointAt(0) ?? 0)) % 11),
    )
    for (const number of shuffled)
      await right(ports.accountImports.stage([aStaging(keyOf(supplier, number))]))
    const { organisation, code: importSupplier } = supplier
    const seen: string[] = []
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const page = await right(
        ports.accountImports.page({ organisation, importSupplier, list: 'all', after, limit: 4 }),
      )
      equal(page.length, Math.min(4, inOrder.length - seen.length))
      seen.push(...page.map(({ externalAccountNumber }) => externalAccountNumber))
      if (page.length < 4) break
    }
    equal(seen, inOrder)
  },
  'the page of staged imports contains those neither skipped nor created, also under a live claim': async (
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
    await created(ports, aSmallAccount(keyOf(supplier, 'created')))
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
  'pages of staged imports end with those of the given instant': async (ports) => {
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
  'a summary counts each import of the supplier once, by its state': async (ports) => {
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
    for (const name of ['x', 'y', 'z']) await created(ports, aSmallAccount(key(name)))
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
    // These failures do not count: the import has another code since, or is skipped, created or in progress.
    await failed(ports, supplier, '6', 'error')
    await failed(ports, supplier, 'skipped', 'error')
    await right(ports.accountImports.setSkipped(keyOf(supplier, 'skipped'), true, start))
    await failed(ports, supplier, 'created', 'error')
    await created(ports, aSmallAccount(keyOf(supplier, 'created')))
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
