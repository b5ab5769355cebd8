import { addressCodecs, endpoints, graphqlAddress, Lines } from '../../packages/http-contract/dist/index.js'
import { codecOf, linkToRequest } from './fields.mjs'
import { code, table } from './table.mjs'

const bodyOf = ({ body }) => {
  if (body === undefined) return ''
  return `${body instanceof Lines ? 'lines of ' : ''}${linkToRequest(codecOf(body))}`
}

const queryOf = ({ query = 'none' }) => Object.keys(addressCodecs[query].props).map(code).join(', ')

const rows = Object.values(endpoints).map((endpoint) => [
  code(`${endpoint.method} ${endpoint.path}`),
  endpoint.summary,
  endpoint.scopes.length === 0 ? 'any' : endpoint.scopes.map(code).join(' and '),
  queryOf(endpoint),
  bodyOf(endpoint),
  endpoint.statuses.join(', '),
])

export const endpointsPage = () => `# Endpoints

Paths are relative to the base address: the address of the server and \`BASE_PATH\`. All endpoints except the first need a token with the
scope. Every other POST except bulk requests takes an [idempotency key](api.md#idempotency-keys). [The API](api.md) describes
responses and refusals. The service shows each field of a response, with examples of requests, at \`/docs/\`.

${table(
  ['Endpoint', 'Meaning', 'Scope', 'Query', 'Body', 'Success'],
  [
    [
      code(`${graphqlAddress.method} ${graphqlAddress.path}`),
      'The GraphQL mutation `obtainToken` takes exactly one of `apiKey` and `refreshToken`, and returns `token`, `expiresAt`, `refreshToken` and `refreshExpiresAt`.',
      '',
      '',
      '',
      '200',
    ],
    ...rows,
  ],
)}

The page of the service \`/\`, \`/docs/\` and \`/openapi.json\`, the OpenAPI 3.1 document, need no token, and accept GET and HEAD. So do
\`/livez\` and \`/readyz\` outside \`BASE_PATH\`: see [health](api.md#health), and \`/metrics\` for
Prometheus: [monitoring](../how-to/monitor.md).
`
