import {
  encryptionKeyUse,
  missingEncryptionKeys,
  registerEncryptionKey,
  rewrapDataKeys,
} from '@account-import/adapter-sql'
import { instantOf, type KeyRing } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { ExecutionContext } from 'ava'
import { withAccount } from '../sql/support/created-account.js'
import { testDatabases } from '../sql/support/databases.js'
import { keyOf, stagingOf } from '../sql/support/imports.js'
import { answer, failure } from '../support/answers.js'
import { newKey, ringOf } from '../support/key-rings.js'
import { sample } from '../support/samples.js'
import { keyRing, verified } from '../verify/support/breaks-of.js'
import { encryptedJourney, flipped } from './support/encrypted-journey.js'

const { onEach, onSqlite } = testDatabases()

const isChanged = async (t: ExecutionContext, failing: ReturnType<typeof failure>): Promise<void> => {
  const { kind, cause } = await failing
  t.is(kind, 'unexpected')
  t.regex(String(cause), /is not what was encrypted for its row|is not what the encryption key/)
}

onEach(
  'an encrypted value that was changed, or belongs to another row, is a failure and an inconsistency',
  async (t, { open }) => {
    const opened = open({ keyRing })
    const { ports, knex } = opened
    const { named, rowOf, change } = await encryptedJourney(opened)
    const one = await rowOf('account_imports', 'S-1')
    const other = await rowOf('account_imports', 'F-1')
    for (const values of [
      { payload: flipped(one['payload'] ?? '') },
      { payload: other['payload'] },
      { payload: other['payload'], data_key: other['data_key'] },
      { data_key: flipped(one['data_key'] ?? '') },
      { payload: '{}' },
      { payload: (one['payload'] ?? '').replace('enc:A', 'enc:/') },
    ]) {
      await change('account_imports', 'S-1', values)
      await isChanged(t, failure(ports.accountImports.staged([named('S-1')])))
      t.deepEqual(
        (await verified(knex)).breaks.map(({ kind, externalAccountNumber }) => [kind, externalAccountNumber]),
        [['payload_differs', 'S-1']],
      )
      await change('account_imports', 'S-1', { payload: one['payload'], data_key: one['data_key'] })
    }
    const [first, second] = [await rowOf('account_imports', 'A-1'), await rowOf('account_imports', 'A-2')]
    const itemOf = async (kind: string) =>
      (await knex('account_items').where({ kind, ordinal: 0 }).first()) as Readonly<{ content: string }>
    const [item, another] = [await itemOf('transaction'), await itemOf('note')]
    for (const [table, values] of [
      ['account_imports', { payload: second['payload'] }],
      ['account_imports', { payload: flipped(first['payload'] ?? '') }],
      ['account_imports', { data_key: second['data_key'] }],
      ['account_imports', { payload: '{}' }],
      ['account_items', { content: another.content }],
      ['account_items', { content: flipped(item.content) }],
      ['account_items', { ordinal: 17 }],
    ] as const) {
      const before = await rowOf(table, 'A-1')
      await change(table, 'A-1', values)
      await isChanged(t, failure(ports.accounts.find(named('A-1'))))
      const expected = table === 'account_imports' ? 'payload_differs' : 'addition_differs'
      t.true(
        (await verified(knex)).breaks.some(({ kind }) => kind === expected),
        `${table} ${Object.keys(values).join()}`,
      )
      await knex(table)
        .where({
          external_account_number: 'A-1',
          ...(table === 'account_imports' ? {} : { kind: 'transaction', ...values }),
        })
        .update(before)
    }
    t.deepEqual((await verified(knex)).breaks, [])
  },
)

const readsAll = async (
  t: ExecutionContext,
  { open }: Parameters<Parameters<typeof onEach>[1]>[1],
  ring: KeyRing,
) => {
  const { ports } = open({ keyRing: ring })
  for (let index = 0; index < 450; index += 150)
    t.is((await answer(ports.accountImports.staged([keyOf(`R-${index}`)])))[0]?.payload, `{"n":${index}}`)
}

onEach(
  'after a key rotation old keys unwrap, an interrupted rewrap continues, and then old keys can be removed',
  async (t, database) => {
    const [old, next] = [newKey(), newKey()]
    const [before, between, after] = [ringOf(old), ringOf(next, old), ringOf(next)]
    const { knex, ports } = database.open({ keyRing: before })
    await registerEncryptionKey(knex, before)
    const stagings = Array.from({ length: 450 }, (_, index) => stagingOf(`R-${index}`, `{"n":${index}}`))
    await answer(ports.accountImports.stage(stagings))
    await readsAll(t, database, between)
    t.deepEqual(await missingEncryptionKeys(knex, before), [])
    t.deepEqual(await missingEncryptionKeys(knex, after), [before.currentKeyId])
    t.deepEqual(await missingEncryptionKeys(knex, undefined), [before.currentKeyId])

    await registerEncryptionKey(knex, between)
    const cut = rewrapDataKeys(knex, between, () => {
      throw new Error('cut off')
    })
    await t.throwsAsync(cut, { message: 'cut off' })
    const counts = async () =>
      Object.fromEntries((await encryptionKeyUse(knex)).map(({ keyId, count }) => [keyId, count]))
    t.deepEqual(await counts(), { [before.currentKeyId]: 250, [after.currentKeyId]: 200 })
    await readsAll(t, database, between)
    let rows = 0
    await rewrapDataKeys(knex, between, (count) => (rows += count))
    t.is(rows, 250)
    t.deepEqual(await counts(), { [after.currentKeyId]: 450 })
    t.deepEqual(await missingEncryptionKeys(knex, after), [])
    await readsAll(t, database, after)
    const { kind, cause } = await failure(
      database.open({ keyRing: before }).ports.accountImports.staged([keyOf('R-0')]),
    )
    t.is(kind, 'unavailable')
    t.like(cause, { name: 'KeyRingError', code: 'ENCRYPTION_KEY_MISSING' })
    await rewrapDataKeys(knex, after, () => t.fail('nothing is left to be wrapped anew'))
  },
)

onEach('plain and encrypted rows may be mixed, also within one account', async (t, { open }) => {
  const plain = open()
  const made = await withAccount(plain.ports)
  const { organisation, supplier, useCases } = made
  const key = { organisation, importSupplier: supplier, externalAccountNumber: 'A-1' }
  const addressed = (name: string) => ({
    organisation,
    payload: { ...sample(name), import_supplier: supplier, external_account_number: 'A-1' },
  })
  await answer(useCases.addNotes(addressed('notes.json')))
  const before = await answer(plain.ports.accounts.find(key))
  const { ports, knex } = open({ keyRing })
  t.deepEqual(await answer(ports.accounts.find(key)), before)
  const encrypting = makeUseCases(inMemoryPorts(ports))
  await answer(encrypting.addNotes(addressed('notes.json')))
  await answer(encrypting.addHistoricalStatements(addressed('historical-statements.json')))
  await answer(encrypting.addTransactions(addressed('transactions.json')))
  const found = await answer(ports.accounts.find(key))
  t.deepEqual(found?.details.notes, before?.details.notes, 'plain notes are known')
  const [row] = (await knex('account_imports').select('payload')) as { payload: unknown }[]
  t.regex(String(row?.payload), /^enc:/, 'an addition encrypts a plain payload')
  t.true((found?.details.statements.length ?? 0) > (before?.details.statements.length ?? 0))
  t.deepEqual((await verified(knex)).breaks, [])
  await answer(ports.accountImports.stage([stagingOf('M-1', '{"m":1}')]))
  t.is((await answer(ports.accountImports.staged([{ ...key, externalAccountNumber: 'A-1' }])))[0]?.version, 1)
  const { kind } = await failure(plain.ports.accounts.find(key))
  t.is(kind, 'unavailable')
  t.is((await failure(plain.ports.accountImports.staged([keyOf('M-1')]))).kind, 'unavailable')
  t.is((await answer(plain.ports.accountImports.find(keyOf('M-1'))))?.stagedVersion, 1)
  await answer(plain.ports.accountImports.stage([stagingOf('M-1', '{"m":2}')]))
  t.is((await answer(ports.accountImports.staged([keyOf('M-1')])))[0]?.payload, '{"m":2}', 'plain once more')
})

onEach(
  'values that look encrypted are read as they were sent, from plain and encrypted rows',
  async (t, { open }) => {
    const plain = open()
    const made = await withAccount(plain.ports, { billing_name: 'enc:' })
    const { organisation, supplier, useCases } = made
    const key = { organisation, importSupplier: supplier, externalAccountNumber: 'A-1' }
    const named = { import_supplier: supplier, external_account_number: 'A-1' }
    const noteOf = (body: string) => ({ organisation, payload: { ...named, notes: [{ body }] } })
    await answer(useCases.addNotes(noteOf('enc:')))
    const { ports, knex } = open({ keyRing })
    const encrypting = makeUseCases(inMemoryPorts(ports))
    await answer(encrypting.addNotes(noteOf('enc:AQ==')))
    await answer(encrypting.addNotes(noteOf('enc:')))
    const found = await answer(ports.accounts.find(key))
    t.deepEqual(
      found?.details.notes.slice(-2).map(({ body }) => body),
      ['enc:', 'enc:AQ=='],
    )
    t.is(found?.details.billing_name, 'enc:')
    t.deepEqual((await verified(knex)).breaks, [])
    await knex('account_imports').update({ data_key: null })
    t.is((await failure(ports.accounts.find(key))).kind, 'unexpected')
  },
)

onSqlite('each encryption of a text differs, and shows only its length', async (t, { open }) => {
  const { knex, ports } = open({ keyRing })
  const kept = async () =>
    (await knex('account_imports').first('payload', 'data_key')) as { payload: string; data_key: string }
  await answer(ports.accountImports.stage([stagingOf('A-1', '{"same":1}')]))
  const first = await kept()
  await answer(ports.accountImports.stage([stagingOf('A-1', '{"same":1}')]))
  const second = await kept()
  t.not(first.payload, second.payload)
  t.not(first.data_key, second.data_key)
  t.regex(second.payload, /^enc:AQ|^enc:A[a-zA-Z0-9+/=]+$/)
  t.is(Buffer.from(second.payload.slice(4), 'base64').length, 1 + 12 + '{"same":1}'.length + 16)
})

onEach(
  'a damaged data key fails its own e-mail alone, and a rewrap continues with the other data keys',
  async (t, { open }) => {
    const [old, next] = [newKey(), newKey()]
    const [before, between] = [ringOf(old), ringOf(next, old)]
    const { knex, ports } = open({ keyRing: before })
    const { organisation, supplier, team, rowOf, change } = await encryptedJourney({ knex }, before)
    const payload = {
      import_supplier_code: supplier,
      external_account_number: 'S-1',
      operations_team_name: team,
    }
    await answer(makeUseCases(inMemoryPorts(ports)).processAccount({ organisation, payload }))
    const onOldKey = async () =>
      (await encryptionKeyUse(knex)).filter(({ keyId }) => keyId === before.currentKeyId)
    const { data_key: kept = '' } = await rowOf('account_imports', 'A-1')
    await change('account_imports', 'A-1', { data_key: flipped(kept) })
    const at = instantOf(Date.now() + 60_000)
    const claimed = await answer(
      ports.outbox.claimDue({
        token: 'a claim',
        at,
        leaseEndsAt: instantOf(Date.now() + 120_000),
        limit: 10,
      }),
    )
    const customersOf = Object.fromEntries(
      claimed.map(({ email, customers }) => [email.key.externalAccountNumber, customers]),
    )
    t.deepEqual(Object.keys(customersOf).sort(), ['A-1', 'S-1'])
    t.is(customersOf['A-1'], 'unreadable')
    t.true(Array.isArray(customersOf['S-1']) && customersOf['S-1'].length > 0)
    await registerEncryptionKey(knex, between)
    await rewrapDataKeys(knex, between)
    t.deepEqual(await onOldKey(), [{ kind: 'staged_data', keyId: before.currentKeyId, count: 1 }])
    await change('account_imports', 'A-1', { data_key: kept })
    await rewrapDataKeys(knex, between)
    t.deepEqual(await onOldKey(), [])
  },
)

onEach(
  'documents of encrypted accounts are found, and none of an account that loses its data key during the reading',
  async (t, { open }) => {
    const { ports, knex } = open({ keyRing })
    const { organisation, supplier, change } = await encryptedJourney({ knex })
    const named = async () =>
      new Map(
        (
          await answer(
            ports.documentReferences.page({
              organisation,
              importSupplier: supplier,
              after: undefined,
              limit: 100,
            }),
          )
        ).map(({ externalAccountNumber, paths }) => [externalAccountNumber, [...paths].sort()]),
      )
    const before = await named()
    t.deepEqual(before.get('A-1'), [
      'notes/LEV-G-000123/contrato.pdf',
      'notes/LEV-G-000123/foto-contador.pdf',
      'notes/LEV-G-000123/reclamacion.pdf',
      'notes/LEV-G-000123/respuesta.pdf',
      'statements/LEV-G-000123/2024-12.pdf',
      'statements/LEV-G-000123/2025-02.pdf',
      'statements/LEV-G-000123/2025-03.pdf',
    ])
    await change('account_imports', 'A-1', { payload: null, data_key: null })
    t.deepEqual(await named(), new Map([...before, ['A-1', []]]))
  },
)
