import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImportService } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { openDocumentRegister } from './document-register.js'

const folder = await mkdtemp(join(tmpdir(), 'document-register-'))
const register = await openDocumentRegister(join(folder, 'documents.jsonl'))
const { operator, stageAccount } = createImportService(inMemoryPorts({ documents: register.documents }))

const [organisation, code] = ['ACME', 'LEVANTE']
await operator.createOrganisation({ code: organisation })
await operator.createSupplier({ code, organisation, documentRoot: 'levante' })
await operator.configureSupplier({
  code,
  change: ({ severities, ...settings }) => ({
    ...settings,
    severities: { ...severities, path_does_not_exist_in_file_store: 'error' },
  }),
})

const sample = new URL('../../samples/gas-account.json', import.meta.url)
const payload: unknown = JSON.parse(await readFile(sample, 'utf8'))
const stage = async (): Promise<void> => {
  const staged = await stageAccount({ organisation, payload })
  if (staged.ok) console.log('staged:', staged.value.outcome)
  else if (staged.refusal._tag !== 'AccountFailedValidation') console.log('refused:', staged.refusal._tag)
  else for (const { code, attr } of staged.refusal.errors) console.log('refused:', code, attr)
}

await stage()
await register.change({
  added: [
    'notes/LEV-G-000123/contrato',
    'statements/LEV-G-000123/2025-02',
    'statements/LEV-G-000123/2025-03',
  ].map((path) => `levante/${path}.pdf`),
})
await stage()
await register.close()
await rm(folder, { recursive: true })
