import { encryptionKeyUse, registerEncryptionKey, rewrapDataKeys } from '@account-import/adapter-sql'
import { instantOf, makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { testDatabases } from '../sql/support/databases.js'
import { answer } from '../support/answers.js'
import { newKey, ringOf } from '../support/key-rings.js'
import { keyRing } from '../verify/support/breaks-of.js'
import { encryptedJourney, flipped } from './support/encrypted-journey.js'

const { onEach } = testDatabases()

onEach(
  'a data key that was changed costs nobody else an e-mail, and no other data key its new wrapping',
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
    const { data_key: kept = '' } = await rowOf('accounts', 'A-1')
    await change('accounts', 'A-1', { data_key: flipped(kept) })
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
    t.deepEqual(await onOldKey(), [{ kind: 'accounts', keyId: before.currentKeyId, count: 1 }])
    await change('accounts', 'A-1', { data_key: kept })
    await rewrapDataKeys(knex, between)
    t.deepEqual(await onOldKey(), [])
  },
)

onEach(
  'documents that encrypted accounts name are found, and none of one that loses its data key while it is read',
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
    await change('accounts', 'A-1', { data_key: null })
    t.deepEqual(await named(), new Map([...before, ['A-1', []]]))
  },
)
