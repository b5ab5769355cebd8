// The core inside another program, as in its README; compiled and run in the folder of the installation.
import { createImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'

const service = createImportService(inMemoryPorts())
await service.operator.createOrganisation({ code: 'ACME' })
await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
const validated: { readonly ok: boolean } = await service.validateAccount({
  organisation: 'ACME',
  payload: {},
})
if (validated.ok) throw new Error('an account without fields was accepted')
