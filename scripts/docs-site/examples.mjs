import { linesType } from '../../packages/http-contract/dist/index.js'
import { requestBodies } from '../../packages/http-contract/dist/openapi/index.js'

/** Obtains a token for a key in a file, so that the key is in no list of processes. */
export const tokenCommand = `URL=http://127.0.0.1:8080 # the address of this page, as far as /docs/
API_KEY_FILE=data/demo-api-key # where "account-import api-key create" was sent to
TOKEN=$(printf '{"query": "mutation { obtainToken(input: {apiKey: \\\\"%s\\\\"}) { token } }"}' "$(cat "$API_KEY_FILE")" \\
  | curl -sS "$URL/v1/graphql/" -H 'Content-Type: application/json' -d @- \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
export URL TOKEN`

const inPath = {
  import_supplier_code: 'LEVANTE',
  external_account_number: 'LEV-E-000456',
  import_run: '$IMPORT_RUN',
}

const inQuery = { operations_team_name: 'Demo%20team' }

const addressOf = ({ path, parameters = [] }) => {
  const query = parameters.flatMap(({ in: place, name, required }) =>
    place === 'query' && required ? [`${name}=${inQuery[name]}`] : [],
  )
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => inPath[name] ?? name)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const needsRun = ({ path }) => path.includes('{import_run}')

/** The body of the example as a value, and its media type. */
const bodyOf = ({ requestBody }) => {
  if (requestBody === undefined) return undefined
  const json = requestBody.content['application/json']
  return json === undefined
    ? { type: linesType, value: requestBodies.account.example }
    : { type: 'application/json', value: json.example }
}

/** The request of an operation as one command for a shell, once `tokenCommand` has run in it. */
const curlCommand = (operation) => {
  const { method } = operation
  const latestRun = needsRun(operation)
    ? `IMPORT_RUN=$(curl -sS "$URL/v1/data-import/import-runs/?limit=1" -H "Authorization: Token $TOKEN" \\
  | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')\n`
    : ''
  const body = bodyOf(operation)
  const post = method === 'POST' && body === undefined ? ['  -X POST'] : []
  const lines = [
    `${latestRun}curl -sS "$URL${addressOf(operation)}"`,
    `  -H "Authorization: Token $TOKEN"`,
    ...post,
  ]
  if (body === undefined) return lines.join(' \\\n')
  const text = JSON.stringify(body.value, undefined, body.type === linesType ? 0 : 2)
  return `${[...lines, `  -H 'Content-Type: ${body.type}' --data-binary @- <<'BODY'`].join(' \\\n')}\n${text}\nBODY`
}

const clientSetUp = `import { readFileSync } from 'node:fs'
import { createClient } from '@account-import/client'

const apiKey = readFileSync('data/demo-api-key', 'utf8').trim()
const client = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey })`

const supplier = `importSupplier: 'LEVANTE'`
const account = `'LEVANTE', 'LEV-E-000456'`
const inPages = (call) => `for await (const page of client.${call}) console.log(page)`

/** The calls of the client that are not named as the operation, with its body. */
const clientCalls = {
  obtainToken: '// The client obtains and renews tokens by itself.',
  importRuns: inPages('importRunPages({ limit: 100 })'),
  finishImportRun: 'console.log(await client.finishImportRun(importRun))',
  importRun: 'console.log(await client.importRun(importRun))',
  importRunFailures: inPages('importRunFailurePages({ importRun, limit: 100 })'),
  importRunAccounts: inPages('importRunAccountPages({ importRun, limit: 100 })'),
  openFailures: inPages(`openFailurePages({ ${supplier}, limit: 100 })`),
  access: 'console.log(await client.access())',
  transferStatus: `console.log(await client.transferStatus(${account}))`,
  accountImportSummary: `console.log(await client.accountImportSummary('LEVANTE'))`,
  allAccountImports: inPages(`accountImportPages({ ${supplier}, list: 'all', limit: 100 })`),
  pendingAccountImports: inPages(`accountImportPages({ ${supplier}, list: 'pending', limit: 100 })`),
  importedAccountImports: inPages(`accountImportPages({ ${supplier}, list: 'imported', limit: 100 })`),
  accountDigests: inPages(`accountDigestPages({ ${supplier}, limit: 100 })`),
  fieldDigests: `console.log(await client.fieldDigests(${account}))`,
}

const latestRunOfClient = `
const runs = await client.importRunPages({ limit: 1 })[Symbol.asyncIterator]().next()
const importRun = runs.value.body[0].id`

/** JSON as a literal of TypeScript: names without quotes where they need none. */
const literal = (value) => JSON.stringify(value, undefined, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:')

const clientProgram = (operation) => {
  const { operationId } = operation
  const body = bodyOf(operation)
  const team = operationId === 'bulkImport' ? `, { operationsTeam: 'Demo team' }` : ''
  const isBulk = operationId.startsWith('bulk')
  const given = body?.type === linesType ? `[${literal(body.value)}]` : literal(body?.value ?? null)
  const call = isBulk
    ? `for await (const line of client.${operationId}(${given}${team})) console.log(line)`
    : `console.log(await client.${operationId}(${given}))`
  return `${clientSetUp}${needsRun(operation) ? latestRunOfClient : ''}\n${clientCalls[operationId] ?? call}`
}

/** JSON as a literal of Python. */
const pythonLiteral = (value) =>
  JSON.stringify(value, undefined, 4).replaceAll(
    /^(.*[:[,]\s*|\s*)(true|false|null)(?=,?$)/gm,
    (_, before, word) => before + { true: 'True', false: 'False', null: 'None' }[word],
  )

const pythonProgram = (operation) => {
  const { operationId, method } = operation
  const isToken = operationId === 'obtainToken'
  const body = bodyOf(operation)
  const header = isToken ? '' : `"Authorization": "Token " + os.environ["TOKEN"]`
  const headers = [header, body === undefined ? '' : `"Content-Type": "${body.type}"`].filter(Boolean)
  const value = isToken
    ? `{
    "query": "mutation ($key: String!) { obtainToken(input: { apiKey: $key }) { token } }",
    "variables": {"key": open("data/demo-api-key").read().strip()},
}`
    : pythonLiteral(body?.value ?? null)
  const run = `runs = urllib.request.Request(
    os.environ["URL"] + "/v1/data-import/import-runs/?limit=1",
    headers={"Authorization": "Token " + os.environ["TOKEN"]},
)
import_run = json.load(urllib.request.urlopen(runs))[0]["id"]
`
  const path = `"${addressOf(operation).replace('$IMPORT_RUN', '" + import_run + "')}"`
  return [
    `import json, os, urllib.error, urllib.request\n`,
    ...(needsRun(operation) ? [run] : []),
    ...(body === undefined ? [] : [`body = ${value}`]),
    'request = urllib.request.Request(',
    `    os.environ["URL"] + ${path},`,
    `    headers={${headers.join(', ')}},`,
    `    method="${method}",`,
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    // An answer that refuses is thrown; its body has the reasons.
    'try:',
    '    print(urllib.request.urlopen(request).read().decode())',
    'except urllib.error.HTTPError as refusal:',
    '    print(refusal.read().decode())',
  ].join('\n')
}

/** The request of an operation in each language, by the language of its fence. */
export const requestExamples = (operation) => ({
  sh: operation.operationId === 'obtainToken' ? tokenCommand : curlCommand(operation),
  ts: clientProgram(operation),
  python: pythonProgram(operation),
})

/** Values of responses by the names of their fields, where the request has none: those of a run in progress. */
const values = {
  platform_account_number: 'A-4KQ2M9ZT7XWE',
  id: 'aZ3kP0s9QmW2rT5vY8xB1c',
  import_supplier: 'LEVANTE',
  external_account_number: 'LEV-E-000456',
  organisation: 'DEMO',
  operations_teams: 'Demo team',
  name: 'accounts.ndjson',
  label: 'Pilot',
  started_by: 'Migration key',
  field: 'customers.N.email',
  attr: 'customers.0.email',
  code: 'invalid_email',
  status: 201,
  token: 'eyJhbGciOi…',
  refreshToken: 'air_…',
  path: 'customers.0.given_name',
  amount: '24.20',
  sum: '24.20',
  ledger_code: 'SPAIN_POWER_LEDGER',
  type: 'PAYMENT',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  digest: '9f86d081884c7d659a2feaa0c55ad015',
  duration_seconds: 37,
  total: 1000,
  created: 994,
  refused: 6,
  staged: 6,
  failed: 6,
  count: 6,
  stage: 6,
  in_progress: 0,
  skipped: 0,
  process: 0,
  additions: 0,
  dismissed: 1,
  import_run: '4f2k9Q7x1M3pT8vB2nL6sA',
  confirmation_code: 'm93k1x2c-5f1c0b7a9e3d4c6b8a7f2e1d0c9b8a7f',
}

const at = '2026-11-02T09:14:07Z'
const oneLine = { failed: 0 }

/** Values in place of those, where a response has them: of all operations, then of some. */
const always = { finished_at: null, undone: null, failures_removed_at: null, kept: [] }
const special = {
  finishImportRun: { state: 'finished', finished_at: at },
  pendingAccountImports: { platform_account_number: null, account_created_at: null },
  bulkValidate: { ...oneLine, status: 200 },
  bulkStage: oneLine,
  bulkProcess: oneLine,
  bulkImport: oneLine,
}

const preferred = new Set(['COMPLETED', 'created', 'running', 'all'])

/** The values of a request by their names, at any depth; the first of a name counts. */
const valuesIn = (value, found = {}) => {
  for (const [name, each] of Object.entries(value ?? {}))
    if (typeof each === 'object') valuesIn(each, found)
    else found[name] ??= each
  return found
}

/** A value of a schema, without optional fields. The value of a choice is the first that is not null. */
const sampleOf = (schema, named, given, name = '') => {
  if (Object.hasOwn(given.fixed, name)) return given.fixed[name]
  if (schema.$ref !== undefined) return sampleOf(named(schema), named, given, name)
  if (schema.anyOf !== undefined)
    return sampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, named, given, name)
  if (schema.items !== undefined) return [sampleOf(schema.items, named, given, name)]
  if (schema.properties !== undefined) {
    const { properties } = schema
    const fields = new Set(schema.required ?? Object.keys(properties).slice(0, 1))
    // Optional only in lines of accounts without a number.
    if (properties.external_account_number !== undefined) fields.add('external_account_number')
    return Object.fromEntries(
      [...fields].map((field) => [field, sampleOf(properties[field], named, given, field)]),
    )
  }
  if (schema.enum !== undefined) return schema.enum.find((each) => preferred.has(each)) ?? schema.enum[0]
  if (schema.type === 'boolean') return true
  const type = schema.type === 'integer' ? 'number' : schema.type
  const known = [given.sent[name], values[name]].find((each) => typeof each === type)
  if (known !== undefined || type === 'number') return known ?? 1
  if (!/(?:_at|At)$/.test(name)) throw new Error(`scripts/docs-site/examples.mjs has no value of ${name}`)
  return at
}

/** A response as that to the example of an operation: JSON, or a line of each kind. */
export const responseExample = ({ operationId, requestBody, responses }, named) => {
  const given = {
    sent: valuesIn(bodyOf({ requestBody })?.value),
    fixed: { ...always, ...special[operationId] },
  }
  const [status, { content }] = Object.entries(responses).findLast(([each]) => each.startsWith('2'))
  const [[type, { schema }]] = Object.entries(content)
  if (operationId === 'validateAccount')
    return {
      status,
      type,
      text: '{\n  "import_supplier": "LEVANTE",\n  "…": "the account as it was read"\n}',
    }
  const isLines = type === linesType
  const line = schema.contentSchema ?? schema
  const shown = isLines && line.anyOf !== undefined ? line.anyOf : [line]
  const text = shown
    .map((each) => JSON.stringify(sampleOf(each, named, given), undefined, isLines ? 0 : 2))
    .join('\n')
  return { status, type, text }
}
