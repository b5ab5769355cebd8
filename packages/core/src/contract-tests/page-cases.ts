import type { StorePorts } from '../ports/index.js'
import { after, aStaging, freshSupplier, keyOf, onLocked, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { aFullAccount } from './full-account.js'
import { createdFrom } from './held-account.js'

const supplierWith = async (ports: StorePorts) => {
  const supplier = await freshSupplier(ports)
  const { organisation, code: importSupplier } = supplier
  const request = (from: string | undefined, limit: number) => ({
    organisation,
    importSupplier,
    after: from,
    limit,
  })
  return { request, key: (number: string) => keyOf(supplier, number) }
}

/** Accounts, and staged payloads, page by page. */
export const pageCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('Accounts', {
    'accounts are given whole, page by page in the order of their numbers, with the count of their additions':
      async (ports) => {
        const { request, key } = await supplierWith(ports)
        const numbers = ['b', 'Z', 'é', 'a', '10', '9']
        const made = await Promise.all(
          numbers.map((number) => createdFrom(ports, key(number), after(1), aFullAccount)),
        )
        await createdFrom(ports, keyOf(await freshSupplier(ports), 'aa'), start)
        await right(ports.accountImports.stage([aStaging(key('only staged'))]))
        const note = {
          note: { body: 'late', document_paths: [], created_at: after(3), is_pinned: false },
          isTimeGiven: true,
        }
        await right(onLocked(ports, key('a'), (account, stores) => stores.accountNotes.add(account, [note])))
        const expected = ['10', '9', 'Z', 'a', 'b', 'é']
        const seen: string[] = []
        for (let from: string | undefined; ;) {
          const page = await right(ports.accounts.page(request(from, 2)))
          for (const { account, additions } of page) {
            const { externalAccountNumber: number } = account.key
            seen.push(number)
            equal(additions, number === 'a' ? 1 : 0)
            const original = made.find((each) => each.key.externalAccountNumber === number)
            if (number !== 'a') equal(account, original)
            else equal(account.details.notes.length, (original?.details.notes.length ?? 0) + 1)
            equal(account, await right(ports.accounts.find(account.key)))
          }
          if (page.length < 2) break
          from = seen.at(-1)
        }
        equal(seen, expected)
        equal(await right(ports.accounts.page(request('é', 10))), [])
      },
  }),
  ...casesOf<StorePorts>('AccountImports', {
    'staged payloads are given page by page, without those of created and skipped imports': async (ports) => {
      const { request, key } = await supplierWith(ports)
      const staged = ['d', 'a', 'c'].map((number) => aStaging(key(number), `{"n":"${number}"}`))
      await right(ports.accountImports.stage([...staged, aStaging(key('skipped'))]))
      await right(ports.accountImports.setSkipped(key('skipped'), true, start))
      await createdFrom(ports, key('b'), start)
      const payload = (externalAccountNumber: string) => ({
        externalAccountNumber,
        payload: `{"n":"${externalAccountNumber}"}`,
      })
      equal(await right(ports.accountImports.stagedPayloads(request(undefined, 2))), [
        payload('a'),
        payload('c'),
      ])
      equal(await right(ports.accountImports.stagedPayloads(request('c', 2))), [payload('d')])
    },
  }),
]
