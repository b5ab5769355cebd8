import { bundledMarkets } from '../../packages/core/dist/index.js'
import { linesType } from '../../packages/http-contract/dist/index.js'
import { openApiDocument, requestBodies } from '../../packages/http-contract/dist/openapi/index.js'
import { code, table } from '../reference/table.mjs'
import { codePages } from './codes.mjs'

const { paths, components } = openApiDocument('', bundledMarkets)

/** Every operation with its address, in the order of the OpenAPI document. */
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
)

/** Obtains a token for a key in a file, so that the key is in no list of processes. */
export const tokenCommand = `URL=http://127.0.0.1:8080 # the address of this page, as far as /docs/
API_KEY_FILE=data/demo-api-key # where "account-import api-key create" was sent to
TOKEN=$(printf '{"query": "mutation { obtainToken(input: {apiKey: \\\\"%s\\\\"}) { token } }"}' "$(cat "$API_KEY_FILE")" \\
  | curl -sS "$URL/v1/graphql/" -H 'Content-Type: application/json' -d @- \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`

const inPath = {
  import_supplier_code: 'LEVANTE',
  external_account_number: 'LEV-E-000456',
  import_run: '$IMPORT_RUN',
}

const inQuery = { operations_team_name: 'Demo%20team' }

/** The request of an operation as one command for a shell, once `tokenCommand` has run in it. */
const curlCommand = ({ method, path, parameters, requestBody }) => {
  const latestRun = path.includes('{import_run}')
    ? `IMPORT_RUN=$(curl -sS "$URL/v1/data-import/import-runs/?limit=1" -H "Authorization: Token $TOKEN" \\
  | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')\n`
    : ''
  const query = parameters.flatMap(({ in: place, name, required }) =>
    place === 'query' && required ? [`${name}=${inQuery[name]}`] : [],
  )
  const address =
    path.replace(/\{(\w+)\}/g, (_, name) => inPath[name] ?? name) +
    (query.length === 0 ? '' : `?${query.join('&')}`)
  const post = method === 'POST' && requestBody === undefined ? ['  -X POST'] : []
  const lines = [`${latestRun}curl -sS "$URL${address}"`, `  -H "Authorization: Token $TOKEN"`, ...post]
  if (requestBody === undefined) return lines.join(' \\\n')
  const json = requestBody.content['application/json']
  const [type, text] =
    json === undefined
      ? [linesType, JSON.stringify(requestBodies.account.example)]
      : ['application/json', JSON.stringify(json.example, undefined, 2)]
  return `${[...lines, `  -H 'Content-Type: ${type}' --data-binary @- <<'BODY'`].join(' \\\n')}\n${text}\nBODY`
}

const nameOf = ({ $ref }) => $ref?.slice($ref.lastIndexOf('/') + 1)
const named = (name) => components.schemas[name]

/** A longer list of values is reported by its length. */
const mostValues = 25

const bounds = ({ minLength, maxLength, minimum, maximum }) =>
  [
    minLength === undefined || minLength < 2 ? '' : `, at least ${minLength} characters`,
    maxLength === undefined ? '' : `, at most ${maxLength} characters`,
    minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`,
  ].join('')

const typeOf = (schema) => {
  const name = nameOf(schema)
  if (named(name)?.properties !== undefined) return `[${name}](#${name.toLowerCase()})`
  if (name !== undefined) return name.endsWith('Code') ? 'code' : name
  if (schema.enum !== undefined)
    return schema.enum.length > mostValues
      ? `one of ${schema.enum.length} values`
      : schema.enum.map(code).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'any JSON'].flat().join(' or ') + bounds(schema)
}

const yesOrNo = (is) => (is ? 'yes' : 'no')

/** The fields of an object by their paths, including those of unnamed objects inside. */
const rowsOf = (schema, before = '') => {
  const { properties = {}, required = [] } = schema.items ?? schema
  const within = schema.items === undefined ? before : `${before}N.`
  return Object.entries(properties).flatMap(([field, each]) => [
    [code(within + field), typeOf(each), yesOrNo(required.includes(field)), each.description ?? ''],
    ...rowsOf(each, `${within}${field}.`),
  ])
}

const fieldsOf = (schema) => {
  const rows = rowsOf(schema)
  return rows.length === 0 ? typeOf(schema) : table(['Field', 'Type', 'Required', 'Notes'], rows)
}

/** Every named object that a schema refers to, directly or indirectly, each once, in the order of reference. */
const reached = (schema, names = new Set()) => {
  const name = nameOf(schema)
  if (named(name)?.properties !== undefined && !names.has(name)) {
    names.add(name)
    reached(named(name), names)
  }
  for (const each of [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})])
    if (each !== undefined) reached(each, names)
  return names
}

/** The fields of a body, and of each named object inside that is not shown above. */
const schemaTables = (schema, shown = new Set()) => [
  ...(nameOf(schema) === undefined ? [fieldsOf(schema)] : []),
  ...[...reached(schema)]
    .filter((name) => !shown.has(name))
    .flatMap((name) => [`### ${name}`, fieldsOf(named(name))]),
]

/** The media type and schema of a body. Only GraphQL has two media types. */
const contentOf = ({ content }) => {
  const [[type, { schema }] = ['none', { schema: {} }]] = Object.entries(content ?? {})
  return { type, schema }
}

const parametersOf = ({ parameters = [] }) => {
  if (parameters.length === 0) return []
  const rows = parameters.map(({ name, in: place, schema, required, description = '' }) => [
    code(name),
    place,
    typeOf(schema),
    yesOrNo(required),
    description,
  ])
  return ['## Parameters', table(['Name', 'In', 'Type', 'Required', 'Notes'], rows)]
}

const bodyOf = ({ requestBody }) => {
  if (requestBody === undefined) return []
  const { type, schema } = contentOf(requestBody)
  return [
    '## Body',
    `${code(type)}${type.endsWith('ndjson') ? ', one object a line' : ''}. The service drops unknown fields and reports them as a
warning. [Fields](docs:reference/fields/) and [rules](docs:reference/rules/) describe all checks.`,
    ...schemaTables(schema),
  ]
}

const answerOf = ({ responses, requestBody }) => {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const { type, schema } = contentOf(successes[0][1])
  const shown = requestBody === undefined ? new Set() : reached(contentOf(requestBody).schema)
  return [
    '## Response',
    `${successes.map(([status]) => status).join(' or ')}, ${code(type)}.`,
    ...schemaTables(schema, shown),
  ]
}

const codesIn = ({ properties, anyOf = [] }) => [
  ...(properties?.code?.enum ?? []),
  ...anyOf.flatMap((each) => codesIn(each)),
]

const refusalsOf = ({ responses }) => {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    codesIn(contentOf(response).schema).map((each) => [status, code(each), codePages[each]?.detail ?? '']),
  )
  return [
    '## Refusals',
    'The body of a refusal has `detail`, `code` and `errors`, which lists each field with its [code](docs:errors/).',
    table(['Status', 'Code', 'Text'], rows),
  ]
}

const exampleOf = (operation) => {
  const isToken = operation.path.endsWith('/graphql/')
  const before = isToken
    ? 'Replace the address of the service, and the file of the API key.'
    : 'First [get a token](docs:#get-a-token) in the same shell.'
  return ['## Example', before, `\`\`\`sh\n${isToken ? tokenCommand : curlCommand(operation)}\n\`\`\``]
}

/** The page of an operation, as Markdown. */
export const endpointPage = (operation) =>
  [
    `# ${code(`${operation.method} ${operation.path}`)}`,
    operation.summary,
    operation.description,
    ...exampleOf(operation),
    ...parametersOf(operation),
    ...bodyOf(operation),
    ...answerOf(operation),
    ...refusalsOf(operation),
  ].join('\n\n')
