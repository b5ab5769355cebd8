import { type CatalogueEntry, catalogueOf, type MarketPack } from '@account-import/core'
import type { Endpoint } from '../endpoint.js'
import { endpoints } from '../endpoints/all.js'
import { graphqlAddress } from '../endpoints/obtain-token.js'
import { fieldError, problemBody } from '../problems.js'
import { withMeanings } from './answer-fields.js'
import { type JsonSchema, typeSchema } from './codec-schema.js'
import { obtainingToken, operation, tags } from './operation.js'
import { headerComponents } from './problem-responses.js'
import { webhooks } from './webhooks.js'

const codesWhere = (
  markets: readonly MarketPack[],
  holds: (entry: CatalogueEntry) => boolean,
): readonly string[] =>
  Object.entries(catalogueOf(markets)).flatMap(([code, entry]) => (holds(entry) ? [code] : []))

const codeOf = (codes: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: codes,
  description,
})

/** The schema of an object whose code is of the list with this name. */
const withCodeOf = (list: string, type: Parameters<typeof typeSchema>[0]): JsonSchema => {
  const { properties, ...rest } = typeSchema(type) as { properties: JsonSchema }
  const code = withMeanings({ code: { $ref: `#/components/schemas/${list}` } })
  return { ...rest, properties: { ...properties, ...code } }
}

/** The schemas that all refusals share. Each code has a page at docs/errors/{code}/. */
const problemSchemas = (markets: readonly MarketPack[]): Readonly<Record<string, JsonSchema>> => ({
  Problem: withCodeOf('TopLevelCode', problemBody.type),
  FieldError: withCodeOf('FieldCode', fieldError.type),
  TopLevelCode: codeOf(
    codesWhere(markets, ({ where }) => where.includes('T')),
    'Code of a whole answer.',
  ),
  // Codes of errors, and of warnings that the operator can raise to errors.
  FieldCode: codeOf(
    codesWhere(markets, ({ where, changeable }) => where.includes('F') || changeable),
    'Code of an entry of errors.',
  ),
})

const description = `Paths are relative to the base address; both forms work, with and without the slash at the end.
Every refusal has the body Problem; its code identifies the case. Each code has a page at docs/errors/{code}/ below the base
address. Unknown fields are accepted, dropped and reported as warnings.`

const made = (markets: readonly MarketPack[]): JsonSchema => {
  const byName = new Map<string, JsonSchema>()
  const definitions = { byName, refTo: (name: string) => ({ $ref: `#/components/schemas/${name}` }) }
  const paths: Record<string, JsonSchema> = { [graphqlAddress.path]: { post: obtainingToken.operation } }
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const method = endpoint.method.toLowerCase()
    paths[endpoint.path] = { ...paths[endpoint.path], [method]: operation(name, endpoint, definitions) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Customer Account Import Service',
      version: '1',
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ token: [] }],
    tags,
    paths,
    webhooks,
    components: {
      headers: headerComponents,
      schemas: { ...problemSchemas(markets), ...obtainingToken.schemas, ...Object.fromEntries(byName) },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Token, a blank and the token; Bearer and JWT work in place of the word too.',
        },
      },
    },
  }
}

/** A cache by list of markets, as building a document takes ten milliseconds. */
const documents = new WeakMap<readonly MarketPack[], JsonSchema>()

/**
 * The OpenAPI 3.1 document of a service with these markets. `baseUrl`: the address of the service, without a slash at the end.
 */
export const openApiDocument = (baseUrl: string, markets: readonly MarketPack[]): JsonSchema => {
  const document = documents.get(markets) ?? made(markets)
  documents.set(markets, document)
  const { openapi, info, ...rest } = document
  return { openapi, info, servers: [{ url: baseUrl === '' ? '/' : baseUrl }], ...rest }
}
