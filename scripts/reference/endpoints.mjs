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
  if (shape === undefined) throw new Error(`No words for the codec ${codec.name}`)
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
  ['Scope', 'Query', 'Body', 'Success', 'Answer'],
  [
    [
      code(endpoint.scope),
      queryOf(endpoint) || 'none',
      bodyOf(endpoint),
      endpoint.statuses.join(', '),
      answerOf(endpoint),
    ],
  ],
)}`

export const endpointsPage = () => `# Endpoints

Paths stand below the base address: the address of the server and \`BASE_PATH\`. All but the first need a token with the
scope. Every other POST but bulk requests takes an [idempotency key](api.md#idempotency-keys). [The API](api.md) describes
answers and refusals.

### ${graphqlAddress.method} ${graphqlAddress.path}

The GraphQL mutation \`obtainToken\` takes exactly one of \`apiKey\` and \`refreshToken\` and answers
\`${shapeOf(obtainedToken)}\`.

${Object.values(endpoints).map(section).join('\n\n')}

### Documentation

Without a token, for GET and HEAD, with an \`ETag\`: \`/openapi.json\` is the OpenAPI 3.1 document. \`/docs/\` has pages for people:
\`/docs/endpoints/<name>/\`, \`/docs/errors/<code>/\`, these pages of \`tutorials\`,
\`how-to\` and \`reference\`, \`/docs/search/\` over all of them, and \`/docs/interactive/\` to try requests in a browser.

### Health

Without a token and outside \`BASE_PATH\`, for GET and HEAD: \`/livez\` and \`/readyz\`; see [health](api.md#health).
\`/metrics\` is for Prometheus: [monitoring](../how-to/monitor.md).
`
