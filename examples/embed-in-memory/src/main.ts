import { readFileSync } from 'node:fs'
import { createImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'

const service = createImportService(inMemoryPorts())
const sample = new URL('../../samples/gas-account.json', import.meta.url)
const account: unknown = JSON.parse(readFileSync(sample, 'utf8'))
const [organisation, importSupplier, externalAccountNumber] = ['ACME', 'LEVANTE', 'LEV-G-000123']

await service.operator.createOrganisation({ code: organisation })
await service.operator.createSupplier({ code: importSupplier, organisation })
await service.operator.createTeam('Migration team')

const request = {
  import_supplier_code: importSupplier,
  external_account_number: externalAccountNumber,
  operations_team_name: 'Migration team',
}
console.log('validate', (await service.validateAccount({ organisation, payload: account })).ok)
console.log('stage', await service.stageAccount({ organisation, payload: account }))
console.log('process', await service.processAccount({ organisation, payload: request }))
console.log('status', await service.transferStatus({ organisation, importSupplier, externalAccountNumber }))
