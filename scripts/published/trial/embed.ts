// The core inside another program, as its README says; compiled and run where it is installed.
import { makeUseCases, plainUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'

const service = plainUseCases(makeUseCases(inMemoryPorts()))
await service.operator.createOrganisation({ code: 'ACME' })
await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
const validated: { readonly ok: boolean } = await service.validateAccount({
  organisation: 'ACME',
  payload: {},
})
if (validated.ok) throw new Error('an account without fields was accepted')
