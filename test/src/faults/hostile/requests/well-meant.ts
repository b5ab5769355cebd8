import { sample, type JsonObject } from '../../../support/samples.js'
import { operations, type Operation } from '../contract.js'
import type { Account, Header, Request } from '../exchange.js'

/** The headers that have a value. */
export const headersOf = (headers: Readonly<Record<string, string | undefined>>): readonly Header[] =>
  Object.entries({ Host: 'service.example', ...headers }).flatMap(([name, value]): readonly Header[] =>
    value === undefined ? [] : [[name, value]],
  )

/** A valid request of an endpoint; `json`: its body, if it has one. */
export const request = (
  { tokens, supplier, number }: Account,
  { method, path, body }: Operation,
  json?: unknown,
  ...expected: readonly number[]
): Request => ({
  sent: {
    method,
    target: path
      .replace('{import_supplier_code}', encodeURIComponent(supplier))
      .replace('{external_account_number}', encodeURIComponent(number)),
    headers: headersOf({
      Authorization: `Token ${tokens.full}`,
      'Content-Type': json === undefined ? undefined : body?.type,
    }),
    ...(json !== undefined && { body: Buffer.from(JSON.stringify(json), 'utf8') }),
  },
  ...(json !== undefined && { value: { json } }),
  ...(expected.length > 0 && { expected }),
})

/** Writes the account of the sequence into a body, under the names of its request. */
export const about = (value: JsonObject, { supplier, number, team }: Account): Record<string, unknown> => ({
  ...value,
  ['import_supplier_code' in value ? 'import_supplier_code' : 'import_supplier']: supplier,
  ...('external_account_numbers' in value
    ? { external_account_numbers: [number] }
    : { external_account_number: number }),
  ...('operations_team_name' in value ? { operations_team_name: team } : {}),
})

/** The samples of additions to an account, by endpoint. */
export const additions: Readonly<Record<string, string>> = {
  addNotes: 'notes.json',
  addHistoricalStatements: 'historical-statements.json',
  addPaymentInstruction: 'payment-instruction.json',
  addTransactions: 'transactions.json',
}

type Asked = readonly [id: string, status: number, json?: JsonObject]

const requestsOf = (account: Account, all: readonly Asked[]): readonly Request[] =>
  all.map(([id, status, json]) => {
    const operation = operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(`The document has no ${id}`)
    return request(account, operation, json && about(json, account), status)
  })

const gas = sample('gas-account.json')

const stagings: readonly Asked[] = [
  ['validateAccount', 200, gas],
  ['stageAccount', 201, gas],
  ['stageAccount', 200, gas],
  ['transferStatus', 200],
]

const processing = (status: number, dryRun = false): Asked => {
  const names = { external_account_number: '', import_supplier_code: '', operations_team_name: '' }
  return ['processAccount', status, { ...names, dry_run: dryRun }]
}

/** The account is staged, once or twice. */
export const staged = (account: Account): readonly Request[] => requestsOf(account, stagings)

/** The account is staged and created, and gets every addition. */
export const created = (account: Account): readonly Request[] =>
  requestsOf(account, [
    ...stagings,
    processing(400, true),
    processing(201),
    processing(400),
    ['transferStatus', 200],
    ...Object.entries(additions).map(([id, file]): Asked => [id, 201, sample(file)]),
  ])
