// node tools/openapi/generate-clients.mjs FOLDER: writes the programs of `programs` into the folder, and beside each the client
// that its generator makes of the OpenAPI document that the service publishes. The folder is inside of this one, whose packages
// the clients import.
import { bundledMarkets } from '@account-import/core'
import { openApiDocument } from '@account-import/http-contract/openapi'
import { createClient } from '@hey-api/openapi-ts'
import { cpSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'

const folder = resolve(process.argv[2])
const at = (name) => join(folder, name)
const document = openApiDocument('', bundledMarkets)

cpSync(new URL('programs/', import.meta.url), folder, { recursive: true })
writeFileSync(at('openapi.json'), JSON.stringify(document))
const types = await openapiTypescript(JSON.stringify(document))
writeFileSync(at('openapi-typescript.generated.ts'), astToString(types))
await createClient({
  input: at('openapi.json'),
  output: { path: at('hey-api.generated'), importFileExtension: '.js' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
})
await generate(
  {
    input: at('openapi.json'),
    output: {
      mode: 'single',
      client: 'zod',
      target: at('orval.generated.ts'),
      override: { zod: { generateEachHttpStatus: true } },
    },
  },
  folder,
)
