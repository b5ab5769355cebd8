import {
  addressCodecs,
  endpoints,
  graphqlAddress,
  Lines,
  obtainedToken,
  problemBody,
} from '../../packages/http-contract/dist/index.js'
import { codecOf, linkToRequest } from './fields.mjs'
import { code, table } from './table.mjs'

const shapes = {
  StringType: () => 'string',
  NumberType: () => 'number',
  BooleanType: () => 'boolean',
  NullType: () => 'null',
  AnyDictionaryType: () => 'object, as accepted',
  KeyofType: ({ keys }) =>
    Object.keys(keys)
      .map((key) => JSON.stringify(key))
      .join(' or '),
  UnionType: ({ types }) => types.map(shapeOf).join(' or '),
  ReadonlyArrayType: ({ type }) => `list of ${shapeOf(type)}`,
  InterfaceType: ({ props }) => `{${fieldsOf(props, '')}}`,
  PartialType: ({ props }) => `{${fieldsOf(props, '?')}}`,
  IntersectionType: ({ types }) => types.map(shapeOf).join(' and ').replaceAll('} and {', ', '),
}

function fieldsOf(props, mark) {
  return Object.entries(props)
    .map(([name, codec]) => `${name}${mark}: ${shapeOf(codec)}`)
    .join(', ')
}

function shapeOf(codec) {
  if (codec === problemBody) return 'the body of a refusal'
  const shape = shapes[codec._tag]
  if (shape === undefined) throw new Error(`No text for the codec ${codec.name}`)
  return shape(codec)
}

const bodyOf = ({ body }) => {
  if (body === undefined) return 'none'
  return `${body instanceof Lines ? 'lines of ' : ''}${linkToRequest(codecOf(body))}`
}

const answerOf = ({ success }) =>
  success instanceof Lines ? `lines of ${code(shapeOf(success.each))}` : code(shapeOf(success))

const queryOf = ({ query = 'none' }) => Object.keys(addressCodecs[query].props).map(code).join(', ')

const section = (endpoint) => `### ${endpoint.method} ${endpoint.path}

${endpoint.summary}

${table(
  ['Scope', 'Query', 'Body', 'Success', 'Response'],
  [
    [
      endpoint.scopes.length === 0 ? 'any' : endpoint.scopes.map(code).join(' and '),
      queryOf(endpoint) || 'none',
      bodyOf(endpoint),
      endpoint.statuses.join(', '),
      answerOf(endpoint),
    ],
  ],
)}`

export const endpointsPage = () => `# Endpoints

Paths are relative to the base address: the address of the server and \`BASE_PATH\`. All endpoints except the first need a token with the
scope. Every other POST except bulk requests takes an [idempotency key](api.md#idempotency-keys). [The API](api.md) describes
responses and refusals.

### ${graphqlAddress.method} ${graphqlAddress.path}

The GraphQL mutation \`obtainToken\` takes exactly one of \`apiKey\` and \`refreshToken\` and returns
\`${shapeOf(obtainedToken)}\`.

${Object.values(endpoints).map(section).join('\n\n')}

### Documentation

These paths need no token, accept GET and HEAD, and return an \`ETag\`. \`/openapi.json\` is the OpenAPI 3.1 document. \`/docs/\` has pages for
people: \`/docs/endpoints/<name>/\`, \`/docs/errors/<code>/\`, these pages of \`tutorials\`,
\`how-to\` and \`reference\`, the search \`/docs/search/\`, and \`/docs/interactive/\` to try requests in a browser.

### Health

\`/livez\` and \`/readyz\` are outside \`BASE_PATH\`, need no token, and accept GET and HEAD: see [health](api.md#health).
\`/metrics\` is for Prometheus: [monitoring](../how-to/monitor.md).
`
