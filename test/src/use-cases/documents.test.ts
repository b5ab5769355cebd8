import test from 'ava'
import type { Documents, DocumentsChecked, Ports, SupplierSettings } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryDocuments } from '@account-import/core/in-memory'
import {
  configuring,
  gasKey,
  inShort,
  left,
  noted,
  numbered,
  organisation,
  processing,
  right,
  sample,
  service,
  staging,
  validated,
} from './support/service.js'

const code = 'path_does_not_exist_in_file_store'

type Change = Partial<SupplierSettings>

const checking = (severity: 'error' | 'warn' | 'off', more: Change = {}): Change => ({
  severities: { [code]: severity },
  documentRoot: 'levante/in',
  ...more,
})

/** The service on these documents, with settings for supplier LEVANTE; every requested key is recorded. */
const serviceOn = async (stored: Documents, change: Change) => {
  const { documents, questions } = noted(stored)
  const { ports, useCases } = await service({ documents })
  await right(configuring(useCases, change))
  return { useCases, ports, questions }
}

const statement = (statement_id: string, statement_path?: unknown) => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id,
  ...(statement_path === undefined ? {} : { statement_path }),
})

const note = (...paths: readonly unknown[]) => ({
  body: 'b',
  document_paths: paths.map((document_path) => ({ document_path })),
})

const account = {
  ...sample('gas-account'),
  statements: [statement('1', 'a.pdf'), statement('2'), statement('3', 'missing.pdf')],
  notes: [note('a.pdf', 'missing.pdf'), { body: 'none' }, note('missing too.pdf')],
}

const missing = [
  'notes.0.document_paths.1.document_path',
  'notes.2.document_paths.0.document_path',
  'statements.2.statement_path',
].map((attr) => `${attr} ${code}`)

const stored = inMemoryDocuments(new Set(['levante/in/a.pdf', 'missing.pdf', 'levante/missing.pdf']))

test('missing documents are warnings or errors by the settings of the supplier, each at its path', async (t) => {
  const warned = await serviceOn(stored, checking('warn'))
  t.deepEqual(await validated(warned.useCases, account), { errors: [], warnings: missing })
  const refused = await serviceOn(stored, checking('error'))
  t.deepEqual(await validated(refused.useCases, account), { errors: missing, warnings: [] })
  await left(refused.useCases.stageAccount({ organisation, payload: account }))
  t.is(refused.questions.length, 3, 'what is refused is validated once each time')
})

test('each document is looked up once, below the document root of the supplier', async (t) => {
  const { useCases, questions } = await serviceOn(stored, checking('warn'))
  await validated(useCases, account)
  t.deepEqual(
    questions.map((keys) => [...keys].sort()),
    Array.from({ length: 2 }, () => [
      'levante/in/a.pdf',
      'levante/in/missing too.pdf',
      'levante/in/missing.pdf',
    ]),
  )
  const bucket = await serviceOn(stored, checking('warn', { documentRoot: '' }))
  await validated(bucket.useCases, { ...account, notes: [], statements: [statement('1', 'missing.pdf')] })
  t.deepEqual(bucket.questions, [['missing.pdf'], ['missing.pdf']])
})

test('the storage is not called while the check is off, its default, or when no document is named', async (t) => {
  for (const change of [{}, checking('off')]) {
    const { useCases, questions } = await serviceOn(stored, change)
    t.deepEqual(await validated(useCases, account), { errors: [], warnings: [] })
    t.deepEqual(questions, [])
  }
  const { useCases, questions } = await serviceOn(stored, checking('error'))
  const plain = { ...sample('electricity-account'), notes: [{ body: 'b' }], statements: [statement('1')] }
  t.deepEqual(await validated(useCases, plain), { errors: [], warnings: [] })
  t.deepEqual((await validated(useCases, { ...account, import_supplier: 'NOBODY' })).errors, [
    'import_supplier import_supplier_does_not_exist',
  ])
  for (const payload of [null, [], 'x', {}]) t.not((await validated(useCases, payload)).errors.length, 0)
  t.deepEqual(questions, [])
})

test('readable paths of a payload with other errors are checked too, in document order', async (t) => {
  const { useCases } = await serviceOn(stored, checking('error'))
  const { errors } = await validated(useCases, {
    ...account,
    account_type: 'NONE',
    notes: [note('../x', 7, 'missing.pdf'), 'none', { document_paths: {} }],
    statements: [{ statement_path: 'missing.pdf' }, null, statement('3', 'a.pdf')],
  })
  t.deepEqual(errors, [
    'account_type invalid_choice',
    'notes.0.document_paths.0.document_path document_path_outside_root',
    'notes.0.document_paths.1.document_path invalid',
    `notes.0.document_paths.2.document_path ${code}`,
    'notes.1 not_a_dict',
    'notes.2.document_paths not_a_list',
    'statements.0.bill_period_from_date required',
    'statements.0.bill_period_to_date required',
    `statements.0.statement_path ${code}`,
    'statements.0.statement_id required',
    'statements.1 null',
  ])
})

test('a path that no document can have below the root is missing without a call', async (t) => {
  const { useCases, questions } = await serviceOn(stored, checking('warn'))
  const payload = { ...account, notes: [], statements: [statement('1', 'x'.repeat(1024))] }
  t.deepEqual((await validated(useCases, payload)).warnings, [`statements.0.statement_path ${code}`])
  t.deepEqual(questions, [])
})

for (const kind of ['unavailable', 'unexpected'] as const)
  test(`a storage failure (${kind}) is one warning when the check warns, and unavailable when it refuses`, async (t) => {
    const broken = failing(stored, 'existing', { kind })
    const warned = await serviceOn(broken, checking('warn'))
    t.deepEqual(await validated(warned.useCases, account), {
      errors: [],
      warnings: [' document_check_not_possible'],
    })
    t.is(warned.questions.length, 2)
    const { useCases, ports } = await serviceOn(broken, checking('error'))
    for (const answer of [
      await left(useCases.validateAccount({ organisation, payload: account })),
      await left(useCases.stageAccount({ organisation, payload: account })),
    ])
      t.like(answer, { _tag: 'PortFailure', kind: 'unavailable' })
    const page = { organisation, importSupplier: 'LEVANTE', after: undefined, limit: 10 } as const
    t.deepEqual(await right(ports.accountImports.page({ ...page, list: 'all' })), [])
  })

test('processing does not look up documents: staged accounts are created', async (t) => {
  const { useCases, questions } = await serviceOn(stored, checking('warn'))
  await right(useCases.stageAccount({ organisation, payload: account }))
  await right(configuring(useCases, checking('error')))
  await right(processing(useCases))
  t.is(questions.length, 1)
})

/** The service with an account that was created before the check for its documents is switched on. */
const checkingAdded = async (documents: Documents, severity: 'error' | 'warn') => {
  const { ports, useCases } = await service({ documents })
  await right(staging(useCases))
  await right(processing(useCases))
  await right(configuring(useCases, { documentRoot: 'in', severities: { [code]: severity } }))
  return { ports, useCases: makeUseCases(ports) }
}

const addedTo = inMemoryDocuments(
  new Set(['in/notes/LEV-G-000123/reclamacion.pdf', 'in/statements/LEV-G-000123/2024-12.pdf']),
)

const missingNotes = ['notes.2.document_paths.0.document_path', 'notes.3.document_paths.1.document_path']

test('missing documents of notes and statements are warnings, or refuse the request', async (t) => {
  const warned = await checkingAdded(addedTo, 'warn')
  const notes = await right(warned.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.deepEqual(
    notes.warnings.map(inShort),
    missingNotes.map((attr) => `${attr} ${code}`),
  )
  const refusing = await checkingAdded(addedTo, 'error')
  const before = await right(refusing.ports.accounts.find(gasKey))
  const refused = await left(refusing.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.is(refused._tag, 'RequestFailedValidation')
  t.deepEqual('errors' in refused ? refused.errors.map(({ attr }) => attr) : [], [...missingNotes])
  t.deepEqual(await right(refusing.ports.accounts.find(gasKey)), before)
  const statements = sample('historical-statements')
  await right(refusing.useCases.addHistoricalStatements({ organisation, payload: statements }))
  const empty = await checkingAdded(inMemoryDocuments(new Set()), 'error')
  const statement = await left(empty.useCases.addHistoricalStatements({ organisation, payload: statements }))
  t.like(statement, { errors: [{ attr: 'statements.0.statement_path', code }] })
})

test('a silent storage is one warning, or makes the request unavailable', async (t) => {
  const gone = failing(addedTo, 'existing', { kind: 'unexpected' })
  const warned = await checkingAdded(gone, 'warn')
  const { warnings } = await right(warned.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.deepEqual(warnings.map(inShort), [' document_check_not_possible'])
  const refusing = await checkingAdded(gone, 'error')
  const refused = await left(refusing.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.like(refused, { _tag: 'PortFailure', kind: 'unavailable' })
})

const accountNaming = (number: string, ...paths: readonly string[]) => ({
  ...sample('gas-account'),
  external_account_number: number,
  notes: [],
  statements: paths.map((path, index) => statement(String(index), path)),
})

/** A service with staged accounts that name these paths; the document root of supplier LEVANTE is `levante`. */
const staged = async (documents: Documents, accounts: Readonly<Record<string, readonly string[]>>) => {
  const made = await service({ documents })
  await right(configuring(made.useCases, { documentRoot: 'levante' }))
  for (const [number, paths] of Object.entries(accounts))
    await right(made.useCases.stageAccount({ organisation, payload: accountNaming(number, ...paths) }))
  return made
}

const collected = async (pages: AsyncIterable<DocumentsChecked>): Promise<DocumentsChecked> => {
  let all: DocumentsChecked = { accounts: 0, references: 0, missing: [] }
  for await (const { accounts, references, missing: more } of pages)
    all = {
      accounts: all.accounts + accounts,
      references: all.references + references,
      missing: [...all.missing, ...more],
    }
  return all
}

const missingOf = async (ports: Ports) =>
  collected(await right(makeUseCases(ports).operator.missingDocuments('LEVANTE')))

test('documents of staged and created accounts are looked up below the document root, for any check setting', async (t) => {
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

test('each document of a page is looked up once, in calls of at most a thousand', async (t) => {
  const { documents, questions } = noted(inMemoryDocuments(new Set()))
  const many = Array.from({ length: 700 }, (_, index) => `many/${index}.pdf`)
  const more = Array.from({ length: 700 }, (_, index) => `more/${index}.pdf`)
  const { ports } = await staged(documents, { 'A-1': many, 'A-2': many, 'A-3': more })
  const { missing, references } = await missingOf(ports)
  t.is(references, 2100)
  t.is(missing.length, 2100)
  const sizes = questions.map((keys) => keys.length)
  t.deepEqual(sizes, [1000, 400])
  t.is(new Set(questions.flat()).size, 1400)
})

test('a supplier without accounts, and statements and notes without a document, miss none', async (t) => {
  const { ports, useCases } = await staged(inMemoryDocuments(new Set()), {})
  t.deepEqual(await missingOf(ports), { accounts: 0, references: 0, missing: [] })
  const without = statement('1')
  const payload = { ...accountNaming('A'), statements: [without], notes: [{ body: 'none' }] }
  await right(useCases.stageAccount({ organisation, payload }))
  await right(processing(useCases, { external_account_number: 'A' }))
  t.deepEqual(await missingOf(ports), { accounts: 1, references: 0, missing: [] })
})

/** This number of accounts, each of which names a missing document. */
const manyStaged = (numbers: readonly string[]) =>
  staged(
    inMemoryDocuments(new Set()),
    Object.fromEntries(numbers.map((number) => [number, [`${number}.pdf`]])),
  )

test('more accounts than a page are all checked', async (t) => {
  const numbers = numbered(1100)
  const { ports } = await manyStaged(numbers)
  const { accounts, missing } = await missingOf(ports)
  t.is(accounts, 1100)
  const paths = missing.map(({ path }) => path)
  t.deepEqual(
    paths,
    numbers.map((number) => `${number}.pdf`),
  )
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

test('a port that fails later ends the pages with its failure, and no document is called missing', async (t) => {
  const numbers = numbered(501)
  const { ports } = await manyStaged(numbers)
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
