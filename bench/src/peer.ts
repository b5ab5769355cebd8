import './children/end-with-parent.js'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { accountPayloadSchema } from '@account-import/http-contract/openapi'
import { fastify, type FastifyError } from 'fastify'
import { createPool, type ResultSetHeader } from 'mysql2/promise'
import { setting } from './children/children.js'
import { createImportsTable, upsertImports } from './floor/database.js'
import { paths } from './workload/kinds.js'

// The usual alternative: Fastify and its Ajv with the published schema, a token, one row a request. It knows
// no rule over several fields, no version of what was staged, and no claim.

// A JSON Web Token by hand: less work than any library does, so that the peer is not slowed down by one.
const secret = randomBytes(32)
const signatureOf = (text: string): Buffer => createHmac('sha256', secret).update(text).digest()

const makeToken = (): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Date.now() / 1000 + 3600 })}`
  return `${text}.${signatureOf(text).toString('base64url')}`
}

/** Whether the header carries a token that was signed with the secret and has not expired. */
const mayPass = (authorization: string | undefined): boolean => {
  const [head, claims, signature] = (authorization ?? '').replace(/^Bearer /, '').split('.')
  if (head === undefined || claims === undefined || signature === undefined) return false
  const sent = Buffer.from(signature, 'base64url')
  const expected = signatureOf(`${head}.${claims}`)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return false
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp?: number }
  return exp !== undefined && exp > Date.now() / 1000
}

/** The schema, but unknown fields do not belong to it, so that they can be left out. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $schema: _, ...parts } = schema as Readonly<Record<string, unknown>>
  const inside = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, closed(part)]))
  return parts['type'] === 'object' && parts['properties'] !== undefined
    ? { ...inside, additionalProperties: false }
    : inside
}

const pool = createPool({
  uri: setting('BENCH_DATABASE_URL'),
  connectionLimit: Number(setting('BENCH_POOL')),
})
await pool.query(createImportsTable)
const upsert = upsertImports(1)

const customOptions = {
  allErrors: true,
  allowUnionTypes: true,
  coerceTypes: false,
  removeAdditional: true,
  useDefaults: false,
} as const
const app = fastify({ bodyLimit: 5 * 1024 * 1024, ajv: { customOptions } })

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
  if (!mayPass(request.headers.authorization)) await reply.code(401).send({ detail: 'No token' })
})

type Account = Readonly<{ import_supplier: string; external_account_number: string }>

const schema = { body: closed(accountPayloadSchema) }

app.post<{ Body: Account }>(paths.validate, { schema }, async ({ body }) => body)

app.post<{ Body: Account }>(paths.stage, { schema }, async ({ body }, reply) => {
  const { import_supplier, external_account_number } = body
  const values = [import_supplier, external_account_number, JSON.stringify(body)]
  const [result] = await pool.execute<ResultSetHeader>(upsert, values)
  reply.code(result.affectedRows === 1 ? 201 : 200)
  return { import_supplier, external_account_number }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port, token: makeToken() })
