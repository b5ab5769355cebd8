import { accountFromPayload } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import type { AccountPayload } from '../payloads/account.js'
import type { AccountReferences } from '../ports/documents.js'
import type { StorePorts } from '../ports/index.js'
import { compareCodePoints } from '../values/compare.js'
import type { LocalDate } from '../values/instant.js'
import { inSequence } from '../lists/lists.js'
import {
  aSmallAccount,
  aStaging,
  claimed,
  created,
  freshSupplier,
  keyOf,
  onLocked,
  start,
} from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const port = 'DocumentReferences'
const day = '2024-01-31' as LocalDate

/** The document paths of a payload: lists of paths of notes, and paths of statements, if they have any. */
type Named = Readonly<{
  notes?: readonly (readonly string[])[]
  statements?: readonly (string | undefined)[]
}>

const payloadOf = ({ externalAccountNumber, importSupplier }: AccountKey, named: Named): AccountPayload => ({
  import_supplier: importSupplier,
  external_account_number: externalAccountNumber,
  customers: [{}],
  notes: (named.notes ?? []).map((paths) => ({
    body: 'b',
    ...(paths.length === 0 ? {} : { document_paths: paths.map((path) => ({ document_path: path })) }),
  })),
  statements: (named.statements ?? []).map((path, index) => ({
    bill_period_from_date: day,
    bill_period_to_date: day,
    statement_id: String(index),
    ...(path === undefined ? {} : { statement_path: path }),
  })),
})

const stage = (ports: StorePorts, key: AccountKey, named: Named) =>
  right(ports.accountImports.stage([aStaging(key, JSON.stringify(payloadOf(key, named)))]))

const create = async (ports: StorePorts, key: AccountKey, named: Named): Promise<string> => {
  const details = accountFromPayload(payloadOf(key, named), start)
  return (await created(ports, { ...aSmallAccount(key), details })).platformAccountNumber
}

/** A page with the paths of each account in order. */
const page = async (ports: StorePorts, supplier: ImportSupplier, limit = 500, after?: string) => {
  const { organisation, code: importSupplier } = supplier
  const found = await right(ports.documentReferences.page({ organisation, importSupplier, after, limit }))
  return found.map((item): AccountReferences => ({ ...item, paths: item.paths.toSorted(compareCodePoints) }))
}

const staged = (externalAccountNumber: string, ...paths: readonly string[]): AccountReferences => ({
  externalAccountNumber,
  platformAccountNumber: undefined,
  paths,
})

/** The documents that staged payloads and created accounts name. */
export const referenceCases = casesOf<StorePorts>(port, {
  'a staged account has the exact paths of its payload, each once': async (ports) => {
    const supplier = await freshSupplier(ports)
    const exact = ['Año/1 %20+.pdf', 'a', 'b/"quoted".pdf', '\u{1F600}.pdf']
    await stage(ports, keyOf(supplier, '1'), { notes: [['old']], statements: ['older'] })
    await stage(ports, keyOf(supplier, '1'), {
      notes: [['b', 'a'], [], ['a']],
      statements: ['c', undefined, 'b'],
    })
    await stage(ports, keyOf(supplier, '2'), {})
    await stage(ports, keyOf(supplier, '3'), { notes: [exact] })
    equal(await page(ports, supplier), [
      staged('1', 'a', 'b', 'c'),
      staged('2'),
      staged('3', ...exact.toSorted(compareCodePoints)),
    ])
  },
  'a created account has the exact paths of its notes and statements, each once': async (ports) => {
    const supplier = await freshSupplier(ports)
    const exact = ['Año/1 %20+.pdf', "it's.pdf", '\u{1F600}.pdf'].toSorted(compareCodePoints)
    const one = await create(ports, keyOf(supplier, '1'), {
      notes: [['b', 'a'], [], ['a']],
      statements: ['c', undefined, 'b'],
    })
    const two = await create(ports, keyOf(supplier, '2'), {})
    const three = await create(ports, keyOf(supplier, '3'), { notes: [exact], statements: exact })
    equal(await page(ports, supplier), [
      { externalAccountNumber: '1', platformAccountNumber: one, paths: ['a', 'b', 'c'] },
      { externalAccountNumber: '2', platformAccountNumber: two, paths: [] },
      { externalAccountNumber: '3', platformAccountNumber: three, paths: exact },
    ])
  },
  'a created account has the paths of its additions': async (ports) => {
    const supplier = await freshSupplier(ports)
    const key = keyOf(supplier, '1')
    const number = await create(ports, key, { notes: [['a']] })
    const note = {
      document_paths: [{ document_path: 'b' }, { document_path: 'a' }],
      created_at: start,
      is_pinned: false,
    }
    const statement = { bill_period_from_date: day, bill_period_to_date: day, statement_id: 'H' }
    await right(
      onLocked(ports, key, (account, { accountNotes, accountStatements }) =>
        inSequence(
          () => accountNotes.add(account, [{ note, isTimeGiven: false }]),
          () => accountStatements.add(account, [{ ...statement, statement_path: 'c' }]),
        ),
      ),
    )
    equal(await page(ports, supplier), [
      { externalAccountNumber: '1', platformAccountNumber: number, paths: ['a', 'b', 'c'] },
    ])
  },
  'skipped accounts and those in progress are listed, imports with a mark alone are not': async (ports) => {
    const supplier = await freshSupplier(ports)
    await stage(ports, keyOf(supplier, 'skipped'), { statements: ['s'] })
    for (const name of ['skipped', 'only marked'])
      await right(ports.accountImports.setSkipped(keyOf(supplier, name), true, start))
    await claimed(ports, keyOf(supplier, 'busy'))
    equal(await page(ports, supplier), [staged('busy'), staged('skipped', 's')])
  },
  'pages follow each other in order of code point without gaps, and contain no other supplier': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const other = await freshSupplier(ports)
    const numbers = ['0', 'A', 'a', 'a ', 'á', '一', '￦', '\u{10000}'].toSorted(compareCodePoints)
    for (const number of [...numbers].reverse()) {
      await stage(ports, keyOf(other, number), { statements: ['not ours'] })
      if (number === 'a') await create(ports, keyOf(supplier, number), { notes: [[number]] })
      else await stage(ports, keyOf(supplier, number), { notes: [[number]] })
    }
    const seen: AccountReferences[] = []
    for (let full = true; full;) {
      const items = await page(ports, supplier, 3, seen.at(-1)?.externalAccountNumber)
      seen.push(...items)
      full = items.length === 3
    }
    equal(
      seen.map(({ externalAccountNumber, paths }) => [externalAccountNumber, paths]),
      numbers.map((number) => [number, [number]]),
    )
  },
  'payloads of several MiB and accounts with a thousand documents are returned whole': async (ports) => {
    const supplier = await freshSupplier(ports)
    const paths = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(4, '0')}.pdf`)
    const padding = 'x'.repeat(3 * 1024 * 1024)
    for (const number of ['1', '2', '3']) {
      const payload = { ...payloadOf(keyOf(supplier, number), { notes: [paths] }), padding }
      await right(ports.accountImports.stage([aStaging(keyOf(supplier, number), JSON.stringify(payload))]))
    }
    const number = await create(ports, keyOf(supplier, '4'), { notes: paths.map((path) => [path]) })
    equal(await page(ports, supplier), [
      ...['1', '2', '3'].map((number) => staged(number, ...paths)),
      { externalAccountNumber: '4', platformAccountNumber: number, paths },
    ])
  },
})
