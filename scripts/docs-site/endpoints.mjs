import { bundledMarkets } from '../../packages/core/dist/index.js'
import { openApiDocument } from '../../packages/http-contract/dist/openapi/index.js'
import { code, table } from '../reference/table.mjs'
import { codePages } from './codes.mjs'
import { requestExamples, responseExample } from './examples.mjs'

const { paths, components } = openApiDocument('', bundledMarkets)

/** Every operation with its address, in the order of the OpenAPI document. */
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
)

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

/** An entry of a list of fields: a table of them would be too wide beside the example. */
const field = (name, facts, description = '') =>
  `- ${[code(name), ...facts.filter(Boolean)].join(' · ')}${description === '' ? '' : `  \n  ${description}`}`

const needed = (is) => (is ? '*required*' : '')

/** The fields of an object by their paths, including those of unnamed objects inside. */
const entriesOf = (schema, before = '') => {
  const { properties = {}, required = [] } = schema.items ?? schema
  const within = schema.items === undefined ? before : `${before}N.`
  return Object.entries(properties).flatMap(([name, each]) => [
    field(within + name, [typeOf(each), needed(required.includes(name))], each.description),
    ...entriesOf(each, `${within}${name}.`),
  ])
}

const fieldsOf = (schema) => {
  const entries = entriesOf(schema)
  return entries.length === 0 ? typeOf(schema) : entries.join('\n')
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

/** The media type of a body, and its schema, that of a line where it has lines. Only GraphQL has two media types. */
const contentOf = ({ content }) => {
  const [[type, { schema }] = ['none', { schema: {} }]] = Object.entries(content ?? {})
  return { type, schema: schema.contentSchema ?? schema }
}

const parametersOf = ({ parameters = [] }) =>
  parameters.length === 0
    ? []
    : [
        '## Parameters',
        parameters
          .map(({ name, in: place, schema, required, description }) =>
            field(name, [place, typeOf(schema), needed(required)], description),
          )
          .join('\n'),
      ]

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

const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``

/** The request in each language, and the response. */
const exampleOf = (operation) => {
  const before = operation.path.endsWith('/graphql/')
    ? 'Replace the address of the service, and the file of the API key.'
    : 'First [get a token](docs:#get-a-token) in the same shell.'
  const { status, type, text } = responseExample(operation, (schema) => named(nameOf(schema)))
  return [
    '## Example',
    before,
    ...Object.entries(requestExamples(operation)).map(([language, request]) => fence(language, request)),
    `Response ${status}, ${code(type)}:`,
    fence('json', text),
  ]
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

const languages = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

/** The three requests as tabs without a script: the chosen one is shown, all where a browser does not know `:has`. */
const tabs = (requests) => {
  const choices = Object.entries(languages).map(
    ([value, name], at) =>
      `<label><input type="radio" name="language" value="${value}"${at === 0 ? ' checked' : ''}>${name}</label>`,
  )
  const panels = Object.keys(languages).map((value, at) =>
    requests[at].replace('class="code"', `class="code ${value}"`),
  )
  return `<fieldset class="tabs"><legend>Request</legend><p>${choices.join('')}</p>${panels.join('')}</fieldset>\n`
}

/** The page of an operation in HTML, with request and response in a column of their own where there is room. */
export const inColumns = (html) => {
  const [head, example, ...rest] = html.split(/(?=<h2 )/)
  const [before, ...blocks] = example.split(/(?=<div class="code">)/)
  const [last, ...response] = blocks
    .splice(2)
    .join('')
    .split(/(?=<p>)/)
  const parts = [before, tabs([...blocks, last]), ...response]
  return `<div class="split"><div>${head}</div><section class="example">${parts.join('')}</section><div>${rest.join('')}</div></div>\n`
}
