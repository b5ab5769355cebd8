import { type AccountUndo, portFailure, type UndoPreview } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import {
  keyOf,
  left,
  leastText,
  numbered,
  organisation,
  processGas,
  right,
  service,
} from './support/service.js'

type Service = Awaited<ReturnType<typeof service>>

/** The service with these accounts created. */
const withCreated = async (numbers: readonly string[], made: Service): Promise<Service> => {
  for (const number of numbers) {
    await right(made.useCases.stageAccount({ organisation, payload: JSON.parse(leastText(number)) }))
    const payload = { ...processGas, external_account_number: number }
    await right(made.useCases.processAccount({ organisation, payload }))
  }
  return made
}

const requestFor = (numbers: readonly string[], more: object = {}) => ({
  organisation,
  payload: { import_supplier_code: 'LEVANTE', external_account_numbers: numbers, ...more },
})

const confirmed = ({ confirmationCode }: UndoPreview, numbers: readonly string[], more: object = {}) =>
  requestFor(numbers, { confirmation_code: confirmationCode, ...more })

const note = (number: string) => ({
  organisation,
  payload: { import_supplier: 'LEVANTE', external_account_number: number, notes: [{ body: 'late' }] },
})

const tag = (refusal: Readonly<{ _tag: string }>): string => refusal._tag

test('a preview has each account once and changes nothing, and its code undoes exactly these', async (t) => {
  const { useCases, ports } = await withCreated(['A', 'B'], await service())
  const numbers = ['B', 'A', 'B', 'NOBODY']
  const preview = await right(useCases.previewUndo(requestFor(numbers)))
  t.deepEqual(
    preview.accounts.map((each) => [each.externalAccountNumber, each.additions]),
    [
      ['B', 0],
      ['A', 0],
    ],
  )
  t.deepEqual(preview.kept, [{ externalAccountNumber: 'NOBODY', reason: 'not_created' }])
  t.is(String(preview.expiresAt), '2025-09-01T10:15:00.000Z')
  t.truthy(await right(ports.accounts.find(keyOf('A'))))
  const undone = await right(useCases.undoAccounts(confirmed(preview, numbers)))
  t.deepEqual(undone, { accounts: preview.accounts, kept: preview.kept })
  t.is(await right(ports.accounts.find(keyOf('A'))), undefined)
  t.is(tag(await left(useCases.undoAccounts(confirmed(preview, numbers)))), 'UndoNotConfirmed')
})

test('one request undoes more accounts than the store does at once', async (t) => {
  const numbers = numbered(1001)
  const { useCases, ports } = await withCreated(numbers, await service())
  const preview = await right(useCases.previewUndo(requestFor(numbers)))
  const undone = await right(useCases.undoAccounts(confirmed(preview, numbers)))
  t.deepEqual(
    undone.accounts.map((each) => each.externalAccountNumber),
    numbers,
  )
  t.is(await right(ports.accounts.find(keyOf(numbers.at(-1) ?? ''))), undefined)
})

test('a code is valid for a quarter of an hour, for the previewed request only', async (t) => {
  const { useCases, clock } = await withCreated(['A', 'B'], await service())
  const preview = await right(useCases.previewUndo(requestFor(['A'])))
  const refused = [
    confirmed(preview, ['A', 'B']),
    confirmed(preview, ['A'], { with_additions: true }),
    requestFor(['A'], { confirmation_code: 'yes' }),
    requestFor(['A'], { confirmation_code: preview.confirmationCode.replace(/^./, 'z') }),
    requestFor(['A'], { confirmation_code: preview.confirmationCode.replace(/.$/, 'g') }),
  ]
  for (const request of refused) t.is(tag(await left(useCases.undoAccounts(request))), 'UndoNotConfirmed')
  clock.pass(15 * 60 + 1)
  t.is(tag(await left(useCases.undoAccounts(confirmed(preview, ['A'])))), 'UndoNotConfirmed')
  const again = await right(useCases.previewUndo(requestFor(['A'])))
  clock.pass(15 * 60)
  t.is((await right(useCases.undoAccounts(confirmed(again, ['A'])))).accounts.length, 1)
})

test('an account with a new addition needs another confirmation, and is undone with additions only on request', async (t) => {
  const { useCases } = await withCreated(['A'], await service())
  const before = await right(useCases.previewUndo(requestFor(['A'], { with_additions: true })))
  await right(useCases.addNotes(note('A')))
  const late = confirmed(before, ['A'], { with_additions: true })
  t.is(tag(await left(useCases.undoAccounts(late))), 'UndoNotConfirmed')
  const kept = await right(useCases.previewUndo(requestFor(['A'])))
  t.deepEqual(kept.kept, [{ externalAccountNumber: 'A', reason: 'has_additions' }])
  const preview = await right(useCases.previewUndo(requestFor(['A'], { with_additions: true })))
  t.deepEqual(
    preview.accounts.map(({ additions }) => additions),
    [1],
  )
  const done = confirmed(preview, ['A'], { with_additions: true })
  t.is((await right(useCases.undoAccounts(done))).accounts.length, 1)
  t.is(tag(await left(useCases.addNotes(note('A')))), 'AccountNotFound')
})

test('accounts of a paused supplier are undone, those of a complete one are not', async (t) => {
  const { useCases } = await withCreated(['A'], await service())
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'paused' }))
  const preview = await right(useCases.previewUndo(requestFor(['A'])))
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'complete' }))
  t.is(tag(await left(useCases.previewUndo(requestFor(['A'])))), 'SupplierComplete')
  t.is(tag(await left(useCases.undoAccounts(confirmed(preview, ['A'])))), 'SupplierComplete')
})

test('a request that is not valid, or names the supplier of another organisation, has all its errors', async (t) => {
  const { useCases } = await withCreated(['A'], await service())
  const refusal = await left(
    useCases.previewUndo({
      organisation: 'OTHER',
      payload: { import_supplier_code: 'LEVANTE', external_account_numbers: [1], with_additions: 'yes' },
    }),
  )
  t.deepEqual(
    refusal._tag === 'RequestFailedValidation' && refusal.errors.map(({ attr, code }) => `${attr} ${code}`),
    [
      'import_supplier_code import_supplier_does_not_exist',
      'external_account_numbers.0 invalid',
      'with_additions invalid',
    ],
  )
  t.deepEqual((await right(useCases.previewUndo(requestFor([])))).accounts, [])
})

test('a supplier that becomes complete during the undo keeps the other accounts', async (t) => {
  const numbers = numbered(501)
  const stores = inMemoryStorePorts()
  let complete = async (): Promise<unknown> => undefined
  const accountUndo: AccountUndo = {
    ...stores.accountUndo,
    undo: async (request) => {
      const undone = await stores.accountUndo.undo(request)
      await complete()
      return undone
    },
  }
  const { useCases } = await withCreated(numbers, await service({ ...stores, accountUndo }))
  complete = () => right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'complete' }))
  const preview = await right(useCases.previewUndo(requestFor(numbers)))
  t.is(tag(await left(useCases.undoAccounts(confirmed(preview, numbers)))), 'SupplierComplete')
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'paused' }))
  t.is((await right(useCases.previewUndo(requestFor(numbers)))).accounts.length, 1)
})

const away = E.left(portFailure('unavailable', 'accountUndo', 'undo', new Error('away')))

test('a failure of the store is returned, and a new preview shows the accounts undone before it', async (t) => {
  const numbers = numbered(501)
  const stores = inMemoryStorePorts()
  let calls = 0
  const accountUndo: AccountUndo = {
    canUndo: async (request) => (calls === 0 ? stores.accountUndo.canUndo(request) : away),
    undo: async (request) => ((calls += 1) === 1 ? stores.accountUndo.undo(request) : away),
  }
  const { useCases } = await withCreated(numbers, await service({ ...stores, accountUndo }))
  const preview = await right(useCases.previewUndo(requestFor(numbers)))
  t.is(tag(await left(useCases.undoAccounts(confirmed(preview, numbers)))), 'PortFailure')
  t.is(tag(await left(useCases.previewUndo(requestFor(numbers)))), 'PortFailure')
  calls = 0
  const rest = await right(useCases.previewUndo(requestFor(numbers)))
  t.deepEqual([rest.accounts.length, rest.kept.length], [1, 500])
})

test('a platform that embeds the core keeps accounts that it uses already', async (t) => {
  const stores = inMemoryStorePorts()
  const accountUndo: AccountUndo = {
    ...stores.accountUndo,
    canUndo: async () => E.right([{ _tag: 'kept', reason: 'refused_by_platform' }]),
  }
  const { useCases, ports } = await withCreated(['A'], await service({ ...stores, accountUndo }))
  const preview = await right(useCases.previewUndo(requestFor(['A'])))
  const undone = await right(useCases.undoAccounts(confirmed(preview, ['A'])))
  t.deepEqual(undone.kept, [{ externalAccountNumber: 'A', reason: 'changed' }])
  t.truthy(await right(ports.accounts.find(keyOf('A'))))
})
