import { instantOf, type StorePorts } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import { portIds } from '@account-import/server'
import test from 'ava'
import { ContainerModule } from 'inversify'
import { readMetrics } from './support/metrics.js'
import { started } from './support/started.js'

test('metrics have the age of the oldest unsealed audit event, and none where it cannot be read', async (t) => {
  const { auditTrail } = inMemoryPorts()
  const age = async (trail: Partial<StorePorts['auditTrail']>) => {
    const module = new ContainerModule(({ rebind }) => {
      rebind(portIds.auditTrail).toConstantValue({ ...auditTrail, ...trail })
    })
    const { address } = await started(t, {}, { modules: [module] })
    const series = await readMetrics(t, address)
    return series.find(({ name }) => name === 'account_import_audit_unsealed_seconds')?.value
  }
  const waiting = await age({ oldestUnsealed: async () => E.right(instantOf(Date.now() - 90_000)) })
  t.true(waiting !== undefined && waiting >= 90 && waiting < 150, String(waiting))
  t.is(await age({ oldestUnsealed: async () => E.right(undefined) }), 0)
  t.is(await age(failing(auditTrail, 'oldestUnsealed')), undefined)
})
