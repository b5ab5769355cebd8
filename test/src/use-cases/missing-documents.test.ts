import test from 'ava'
import { makeUseCases, type Documents, type DocumentsChecked, type Ports } from '@account-import/core'
import { failing, inMemoryDocuments } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import { configuring, left, organisation, processing, right, service } from './support/service.js'

const statement = (statement_id: string, statement_path: string) => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id,
  statement_path,
})

const account = (number: string, ...paths: readonly string[]) => ({
  ...sample('gas-account'),
  external_account_number: number,
  notes: [],
  statements: paths.map((path, index) => statement(String(index), path)),
})

/** A service with staged accounts that name such paths; supplier LEVANTE keeps its documents below `levante`. */
const staged = async (documents: Documents, accounts: Readonly<Record<string, readonly string[]>>) => {
  const made = await service({ documents })
  await right(configuring(made.useCases, { documentRoot: 'levante' }))
  for (const [number, paths] of Object.entries(accounts))
    await right(made.useCases.stageAccount({ organisation, payload: account(number, ...paths) }))
  return made
}

const collected = async (pages: AsyncIterable<DocumentsChecked>): Promise<DocumentsChecked> => {
  let all: DocumentsChecked = { accounts: 0, references: 0, missing: [] }
  for await (const { accounts, references, missing } of pages)
    all = {
      accounts: all.accounts + accounts,
      references: all.references + references,
      missing: [...all.missing, ...missing],
    }
  return all
}

const missingOf = async (ports: Ports) =>
  collected(await right(makeUseCases(ports).operator.missingDocuments('LEVANTE')))

test('what staged and created accounts name below the document root is looked for, whatever the supplier checks', async (t) => {
  const stored = new Set(['levante/there.pdf', 'absent.pdf', 'levante/last.pdf'])
  const { ports, useCases } = await staged(inMemoryDocuments(stored), {
    'LEV-G-000123': ['there.pdf', 'absent.pdf', 'absent too.pdf'],
    'A-1': ['there.pdf', 'last.pdf'],
    'Z-1': ['absent.pdf', 'x'.repeat(1020)],
  })
  const { platformAccountNumber } = await right(processing(useCases))
  const created = { externalAccountNumber: 'LEV-G-000123', platformAccountNumber }
  const pending = { externalAccountNumber: 'Z-1', platformAccountNumber: undefined }
  t.deepEqual(await missingOf(ports), {
    accounts: 3,
    references: 7,
    missing: [
      { ...created, path: 'absent too.pdf' },
      { ...created, path: 'absent.pdf' },
      { ...pending, path: 'absent.pdf' },
      { ...pending, path: 'x'.repeat(1020) },
    ],
  })
})

test('each document of a page is asked for once, in calls of at most a thousand', async (t) => {
  const questions: (readonly string[])[] = []
  const memory = inMemoryDocuments(new Set())
  const documents: Documents = {
    ...memory,
    existing: (keys) => {
      questions.push(keys)
      return memory.existing(keys, 'LLUM')
    },
  }
  const many = Array.from({ length: 700 }, (_, index) => `many/${index}.pdf`)
  const more = Array.from({ length: 700 }, (_, index) => `more/${index}.pdf`)
  const { ports } = await staged(documents, { 'A-1': many, 'A-2': many, 'A-3': more })
  const { missing, references } = await missingOf(ports)
  t.is(references, 2100)
  t.is(missing.length, 2100)
  t.deepEqual(
    questions.map((keys) => keys.length),
    [1000, 400],
  )
  t.is(new Set(questions.flat()).size, 1400)
})

test('statements and notes of a created account that name no document miss none', async (t) => {
  const { ports, useCases } = await staged(inMemoryDocuments(new Set()), {})
  const { statement_path: _, ...without } = statement('1', '')
  const payload = { ...account('A'), statements: [without], notes: [{ body: 'none' }] }
  await right(useCases.stageAccount({ organisation, payload }))
  await right(processing(useCases, { external_account_number: 'A' }))
  t.deepEqual(await missingOf(ports), { accounts: 1, references: 0, missing: [] })
})

test('more accounts than a page has are all looked at', async (t) => {
  const numbers = Array.from({ length: 1100 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { ports } = await staged(
    inMemoryDocuments(new Set()),
    Object.fromEntries(numbers.map((number) => [number, [`${number}.pdf`]])),
  )
  const { accounts, missing } = await missingOf(ports)
  t.is(accounts, 1100)
  t.deepEqual(
    missing.map(({ path }) => path),
    numbers.map((number) => `${number}.pdf`),
  )
})

test('a supplier without accounts misses nothing, and one that does not exist is refused', async (t) => {
  const { ports, useCases } = await staged(inMemoryDocuments(new Set()), {})
  t.deepEqual(await missingOf(ports), { accounts: 0, references: 0, missing: [] })
  t.deepEqual(await left(useCases.operator.missingDocuments('NOBODY')), {
    _tag: 'DoesNotExist',
    subject: 'import supplier',
    name: 'NOBODY',
  })
})

test('a storage that is not ready, and a store that fails at once, are refusals before the first page', async (t) => {
  const { ports } = await staged(inMemoryDocuments(new Set()), { 'A-1': ['1.pdf'] })
  const broken: readonly Partial<Ports>[] = [
    { documents: failing(ports.documents, 'ready') },
    { documentReferences: failing(ports.documentReferences, 'page') },
    { importSuppliers: failing(ports.importSuppliers, 'findByCode') },
  ]
  for (const each of broken)
    t.like(await left(makeUseCases({ ...ports, ...each }).operator.missingDocuments('LEVANTE')), {
      _tag: 'PortFailure',
    })
})

test('a port that fails on the way ends the pages with its failure: nothing is called missing for it', async (t) => {
  const numbers = Array.from({ length: 501 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { ports } = await staged(
    inMemoryDocuments(new Set()),
    Object.fromEntries(numbers.map((number) => [number, [`${number}.pdf`]])),
  )
  const broken: readonly Partial<Ports>[] = [
    { documents: failing(ports.documents, 'existing', { nth: 2 }) },
    { documentReferences: failing(ports.documentReferences, 'page', { nth: 2 }) },
  ]
  for (const each of broken) {
    const pages = await right(makeUseCases({ ...ports, ...each }).operator.missingDocuments('LEVANTE'))
    let seen = 0
    const failed = await t.throwsAsync(
      async () => {
        for await (const { missing } of pages) seen += missing.length
      },
      { any: true },
    )
    t.like(failed, { _tag: 'PortFailure', kind: 'unavailable' })
    t.is(seen, 500)
  }
})
