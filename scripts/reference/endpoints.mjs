import { addressCodecs, endpoints, graphqlAddress, Lines } from '../../packages/http-contract/dist/index.js'
import { codecOf, linkToRequest } from './fields.mjs'
import { code } from './table.mjs'

const bodyOf = ({ body }) => {
  if (body === undefined) return ''
  return `${body instanceof Lines ? 'lines of ' : ''}${linkToRequest(codecOf(body))}`
}

const queryOf = ({ query = 'none' }) => Object.keys(addressCodecs[query].props).map(code).join(', ')

const entry = (endpoint) => {
  const { method, path, summary, scopes, statuses } = endpoint
  const facts = [
    scopes.length === 0 ? 'any scope' : scopes.map(code).join(' and '),
    statuses.join(' or '),
    ...[queryOf(endpoint), bodyOf(endpoint)].filter(Boolean),
  ]
  return `- ${code(`${method} ${path}`)} (${facts.join('; ')}): ${summary}`
}

export const endpointsPage = () => `# Endpoints

[The API](api.md) describes responses and refusals. The service shows each field of a response, with examples of requests, at \`/docs/\`. In parentheses stand
the scope of the token, the status of a success, parameters in the query, and the body.

- ${code(`${graphqlAddress.method} ${graphqlAddress.path}`)}: [tokens](api.md#authentication)
${Object.values(endpoints).map(entry).join('\n')}

The page of the service \`/\`, \`/docs/\` and \`/openapi.json\`, the OpenAPI 3.1 document, need no token, and accept GET and HEAD. So do
\`/livez\` and \`/readyz\` outside \`BASE_PATH\`: see [health](api.md#health), and \`/metrics\` for
Prometheus: [monitoring](../how-to/monitor.md).
`
