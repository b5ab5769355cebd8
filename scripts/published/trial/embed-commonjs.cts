// The core from CommonJS: `require` loads ES modules since Node.js 20.19.
import core = require('@account-import/core')
import inMemory = require('@account-import/core/in-memory')

const service = core.createImportService(inMemory.inMemoryPorts())
void service.operator.createOrganisation({ code: 'ACME' }).then((made: { readonly ok: boolean }) => {
  if (!made.ok) throw new Error('no organisation was made')
})
