import test from 'ava'
import { makeUseCases, type Documents, type SupplierSettings, type UseCases } from '@account-import/core'
import { failing, inMemoryDocuments } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import { configuring, left, organisation, right, service } from './support/service.js'

const code = 'path_does_not_exist_in_file_store'

type Change = Partial<SupplierSettings>

const checking = (severity: 'error' | 'warn' | 'off', more: Change = {}): Change => ({
  severities: { [code]: severity },
  documentRoot: 'levante/in',
  ...more,
})

/** The service on such documents, with settings for supplier LEVANTE; every question is noted. */
const serviceOn = async (documents: Documents, change: Change) => {
  const questions: (readonly string[])[] = []
  const asked: Documents = {
    ...documents,
    existing: (keys) => {
      questions.push(keys)
      return documents.existing(keys, 'LLUM')
    },
  }
  const { ports } = await service({ documents: asked })
  const useCases = makeUseCases(ports)
  await right(configuring(useCases, { ...change }))
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

type Entry = Readonly<{ attr: string; code: string }>
const inShort = (entries: readonly Entry[]) => entries.map((entry) => `${entry.attr} ${entry.code}`)

/** What validate and stage say of a payload; both must say the same. */
const validated = async (useCases: UseCases, payload: unknown) => {
  const answers = [
    await useCases.validateAccount({ organisation, payload })(),
    await useCases.stageAccount({ organisation, payload })(),
  ].map((answer) => {
    if (answer._tag === 'Right') return { errors: [], warnings: inShort(answer.right.warnings) }
    if (answer.left._tag !== 'AccountFailedValidation') throw new Error(answer.left._tag)
    return { errors: inShort(answer.left.errors), warnings: inShort(answer.left.warnings) }
  })
  const [validated, staged] = answers
  if (validated === undefined || JSON.stringify(validated) !== JSON.stringify(staged))
    throw new Error(`validate and stage differ: ${JSON.stringify(answers)}`)
  return validated
}

const stored = inMemoryDocuments(new Set(['levante/in/a.pdf', 'missing.pdf', 'levante/missing.pdf']))

test('missing documents are warnings or errors as the supplier’s settings say, each at its path', async (t) => {
  const warned = await serviceOn(stored, checking('warn'))
  t.deepEqual(await validated(warned.useCases, account), { errors: [], warnings: missing })
  const refused = await serviceOn(stored, checking('error'))
  t.deepEqual(await validated(refused.useCases, account), { errors: missing, warnings: [] })
})

test('each document is asked for once, below the supplier’s document root', async (t) => {
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

test('the store is not asked while the check is off, which it is by default, or where nothing names a document', async (t) => {
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

test('paths of a payload that fails otherwise are checked too where they can be read, in document order', async (t) => {
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

test('a path that no document can have below the root is missing without a question', async (t) => {
  const { useCases, questions } = await serviceOn(stored, checking('warn'))
  const payload = { ...account, notes: [], statements: [statement('1', 'x'.repeat(1024))] }
  t.deepEqual((await validated(useCases, payload)).warnings, [`statements.0.statement_path ${code}`])
  t.deepEqual(questions, [])
})

for (const kind of ['unavailable', 'unexpected'] as const)
  test(`a store that fails (${kind}) is one warning where the check warns, and unavailable where it refuses`, async (t) => {
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

test('the severity of a check that was not possible cannot be changed', async (t) => {
  const { useCases } = await serviceOn(stored, {})
  const refused = await left(configuring(useCases, { severities: { document_check_not_possible: 'off' } }))
  t.is(refused._tag, 'InputNotValid')
})

test('processing does not ask for documents: what was staged is created', async (t) => {
  const { useCases, questions } = await serviceOn(stored, checking('warn'))
  await right(useCases.stageAccount({ organisation, payload: account }))
  await right(configuring(useCases, { ...checking('error') }))
  const request = {
    external_account_number: 'LEV-G-000123',
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Migration team',
  }
  await right(useCases.processAccount({ organisation, payload: request }))
  t.is(questions.length, 1)
})
