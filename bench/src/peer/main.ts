import '../children/end-with-parent.js'
import type { AddressInfo } from 'node:net'
import { fastify, type FastifyError } from 'fastify'
import { createPool, type ResultSetHeader } from 'mysql2/promise'
import { createImportsTable, upsertImports } from '../floor/imports-table.js'
import { setting } from '../children/setting.js'
import { paths } from '../workload/verbs.js'
import { closedSchema } from './closed-schema.js'
import { mayPass } from './token.js'

// What a team would build instead: Fastify and its Ajv with the published schema, a token, one row a request. It knows
// no rule over several fields, no version of what was staged, and no claim.

type Account = Readonly<{ import_supplier: string; external_account_number: string }>

const secret = setting('PEER_SECRET')
const pool = createPool({
  uri: setting('BENCH_DATABASE_URL'),
  connectionLimit: Number(setting('BENCH_POOL')),
})
await pool.query(createImportsTable)
const upsert = upsertImports(1)

const app = fastify({
  bodyLimit: 5 * 1024 * 1024,
  ajv: {
    customOptions: {
      allErrors: true,
      allowUnionTypes: true,
      coerceTypes: false,
      removeAdditional: true,
      useDefaults: false,
    },
  },
})

app.setErrorHandler((error: FastifyError, _, reply) =>
  reply.code(error.statusCode ?? 500).send({
    detail: error.message,
    code: error.code,
    errors: (error.validation ?? []).map(({ message, keyword, instancePath }) => ({
      detail: message,
      code: keyword,
      attr: instancePath.slice(1).replaceAll('/', '.'),
    })),
  }),
)

app.addHook('onRequest', async (request, reply) => {
  if (!mayPass(request.headers.authorization, secret)) await reply.code(401).send({ detail: 'No token' })
})

const schema = { body: closedSchema }

app.post<{ Body: Account }>(paths.validate, { schema }, async ({ body }) => body)

app.post<{ Body: Account }>(paths.stage, { schema }, async ({ body }, reply) => {
  const { import_supplier, external_account_number } = body
  const values = [import_supplier, external_account_number, JSON.stringify(body)]
  const [result] = await pool.execute<ResultSetHeader>(upsert, values)
  reply.code(result.affectedRows === 1 ? 201 : 200)
  return { import_supplier, external_account_number }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
