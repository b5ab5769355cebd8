// node tools/openapi/prism.mjs DOCUMENT URL: prints the address of a Prism proxy before the service at the URL, until it is ended.
// Prism checks each request and each response by the document, and answers with its own error if one does not follow it.
import { readFileSync } from 'node:fs'
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'

const [, , document, upstream] = process.argv
const operations = await getHttpOperationsFromSpec(JSON.parse(readFileSync(document, 'utf8')))
const server = createServer(operations, {
  cors: false,
  config: {
    isProxy: true,
    upstream: new URL(upstream),
    errors: true,
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    mock: { dynamic: false },
  },
  components: { logger: createLogger('prism', { level: 'silent' }) },
})
console.log(await server.listen(0, '127.0.0.1'))
