import type { AccountImportList } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import { aStaging, claimed, freshNumber, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** The three lists and their pages. */
export const listCases = casesOf<StorePorts>('AccountImports', {
  'each list holds what it is for: all, pending and imported': async (ports) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    const key = (name: string) => keyOf(supplier, name)
    await right(ports.accountImports.stage(['staged', 'skipped'].map((name) => aStaging(key(name)))))
    await right(ports.accountImports.stage([aStaging(keyOf(other, 'not ours'))]))
    await right(ports.accountImports.setSkipped(key('skipped'), true, start))
    await right(ports.accountImports.setSkipped(key('only marked'), true, start))
    await claimed(ports, key('busy'))
    const token = await claimed(ports, key('created'))
    const platformAccountNumber = freshNumber()
    await right(
      ports.accountImports.complete([{ key: key('created'), token, platformAccountNumber, at: start }]),
    )
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
    const created = { externalAccountNumber: 'created', platformAccountNumber, accountCreatedAt: start }
    const item = (externalAccountNumber: string) => ({ externalAccountNumber, ...pending })
    equal(await list('all'), [item('busy'), created, item('skipped'), item('staged')])
    equal(await list('pending'), [item('busy'), item('staged')])
    equal(await list('imported'), [created])
  },
  'pages follow each other in order of code point, without gaps or repeats': async (ports) => {
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
})
