import { readFile } from 'node:fs/promises'
import { createImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'

const service = createImportService(inMemoryPorts())
await service.operator.createOrganisation({ code: 'ACME' })
await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })

const payload: unknown = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'))
const validated = await service.validateAccount({ organisation: 'ACME', payload })
if (validated.ok) console.log('valid')
else if (validated.refusal._tag === 'AccountFailedValidation')
  for (const { attr, code, detail } of validated.refusal.errors) console.log(`${code} at ${attr}: ${detail}`)
else console.log(`not now: ${validated.refusal._tag}`)
