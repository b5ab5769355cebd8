import type { AuditEntry, KeyUse } from '@account-import/core'
import { answer, failure } from '../support/answers.js'
import { statementsOf } from './support/statements-of.js'
import { testDatabases } from './support/databases.js'
import { now } from './support/imports.js'

const { onEach } = testDatabases()

const organisation = 'ACME'

const useOf = (apiKeyId: string): KeyUse => {
  const network = '192.0.2.1'
  const entry: AuditEntry = {
    organisation,
    at: now(),
    what: 'logged_in',
    by: { who: 'key 1' },
    subject: network,
  }
  return { apiKeyId, network, entry, ifNew: { ...entry, what: 'new_address' } }
}

onEach(
  'the first use from a network is known only together with the entry that tells of it',
  async (t, { open }) => {
    const { knex, ports } = open()
    await knex.schema.renameTable('audit_unsealed', 'away')
    await failure(ports.auditTrail.recordUse(useOf('1')))
    await knex.schema.renameTable('away', 'audit_unsealed')
    await answer(ports.auditTrail.recordUse(useOf('1')))
    const entries = await answer(ports.auditTrail.unsealed({ organisation }, 10))
    t.deepEqual(entries.map(({ what }) => what).toSorted(), ['logged_in', 'new_address'])
  },
)

onEach(
  'a use from a network that is known costs two statements, and one without an entry',
  async (t, { open }) => {
    const opened = open()
    const { auditTrail } = opened.ports
    await answer(auditTrail.recordUse(useOf('1')))
    const sent = await statementsOf(opened, () => answer(auditTrail.recordUse(useOf('1'))))
    t.deepEqual(sent, ['SELECT', 'INSERT'])
    const silent = { ...useOf('1'), entry: undefined }
    t.deepEqual(await statementsOf(opened, () => answer(auditTrail.recordUse(silent))), ['SELECT'])
  },
)
