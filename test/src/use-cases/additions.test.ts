import test from 'ava'
import { makeUseCases, type Documents, type Ports, type SupplierSettings } from '@account-import/core'
import { failing, inMemoryDocuments, inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import {
  configuring,
  gasKey,
  left,
  organisation,
  processing,
  right,
  service,
  staging,
} from './support/service.js'

const instruction = sample('payment-instruction')

const vendors = inMemoryPaymentVendors(
  new Map([
    ['SANDBOX', new Map([[String(instruction['reference']), { _tag: 'verified' as const, details: {} }]])],
  ]),
)

const withAccount = async (yours: Partial<Ports> = {}) => {
  const made = await service({ paymentVendors: vendors, ...yours })
  await right(staging(made.useCases))
  await right(processing(made.useCases))
  return made
}

test('an instruction whose vendor port fails is not stored, and the failure is the answer', async (t) => {
  const { ports } = await withAccount({ paymentVendors: failing(vendors, 'verify', { kind: 'unexpected' }) })
  const refused = await left(
    makeUseCases(ports).addPaymentInstruction({ organisation, payload: instruction }),
  )
  t.like(refused, { _tag: 'PortFailure', kind: 'unexpected' })
  t.deepEqual((await right(ports.accounts.find(gasKey)))?.details.payment_instructions, [])
})

test('an instruction is asked for with nothing held: the vendor may wait, and the account be gone on with', async (t) => {
  const { ports, useCases } = await withAccount()
  const during = makeUseCases({
    ...ports,
    paymentVendors: {
      ...vendors,
      verify: (asked) => async () => {
        await right(useCases.addNotes({ organisation, payload: sample('notes') }))
        return vendors.verify(asked)()
      },
    },
  })
  await right(during.addPaymentInstruction({ organisation, payload: instruction }))
  const details = (await right(ports.accounts.find(gasKey)))?.details
  t.is(details?.payment_instructions.length, 1)
  t.true(details?.notes.some(({ body }) => body === 'Solicita factura en papel.'))
})

test('a reference that the vendor could not have given is refused at its field, and the vendor is not asked', async (t) => {
  const choosy = { ...failing(vendors, 'verify'), takesReference: () => false }
  const { ports, useCases } = await withAccount({ paymentVendors: choosy })
  const refused = await left(useCases.addPaymentInstruction({ organisation, payload: instruction }))
  t.like(refused, { _tag: 'RequestFailedValidation', errors: [{ attr: 'reference', code: 'invalid' }] })
  t.deepEqual((await right(ports.accounts.find(gasKey)))?.details.payment_instructions, [])
})

const code = 'path_does_not_exist_in_file_store'

const checking = async (documents: Documents, severity: 'error' | 'warn') => {
  const { ports, useCases } = await withAccount({ documents })
  const change = (settings: SupplierSettings): SupplierSettings => ({
    ...settings,
    documentRoot: 'in',
    severities: { [code]: severity },
  })
  await right(configuring(useCases, change))
  return { ports, useCases: makeUseCases(ports) }
}

const stored = inMemoryDocuments(
  new Set(['in/notes/LEV-G-000123/reclamacion.pdf', 'in/statements/LEV-G-000123/2024-12.pdf']),
)

const missing = ['notes.2.document_paths.0.document_path', 'notes.3.document_paths.1.document_path'] as const

test('documents of notes and statements that are not in the storage are warnings, or refuse the request', async (t) => {
  const warned = await checking(stored, 'warn')
  const notes = await right(warned.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.deepEqual(
    notes.warnings.map((warning) => `${warning.attr} ${warning.code}`),
    missing.map((attr) => `${attr} ${code}`),
  )
  const refusing = await checking(stored, 'error')
  const before = await right(refusing.ports.accounts.find(gasKey))
  const refused = await left(refusing.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.is(refused._tag, 'RequestFailedValidation')
  t.deepEqual('errors' in refused ? refused.errors.map(({ attr }) => attr) : [], [...missing])
  t.deepEqual(await right(refusing.ports.accounts.find(gasKey)), before)
  const statements = sample('historical-statements')
  await right(refusing.useCases.addHistoricalStatements({ organisation, payload: statements }))
  const empty = await checking(inMemoryDocuments(new Set()), 'error')
  const statement = await left(empty.useCases.addHistoricalStatements({ organisation, payload: statements }))
  t.like(statement, { errors: [{ attr: 'statements.0.statement_path', code }] })
})

test('a storage that does not answer is one warning, or makes the request unavailable', async (t) => {
  const gone = failing(stored, 'existing', { kind: 'unexpected' })
  const warned = await checking(gone, 'warn')
  const { warnings } = await right(warned.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.deepEqual(
    warnings.map((warning) => [warning.attr, warning.code]),
    [['', 'document_check_not_possible']],
  )
  const refusing = await checking(gone, 'error')
  const refused = await left(refusing.useCases.addNotes({ organisation, payload: sample('notes') }))
  t.like(refused, { _tag: 'PortFailure', kind: 'unavailable' })
})
