import { sample, type JsonObject } from '../../support/samples.js'
import type { Account, Request } from '../request.js'

/** A request in good form: `json` where there is a body. */
export const request = (
  { tokens }: Account,
  method: 'GET' | 'POST',
  target: string,
  body?: unknown,
  expected?: readonly number[],
): Request => ({
  sent: {
    method,
    target,
    headers: [
      ['Host', 'service.example'],
      ['Authorization', `Token ${tokens.full}`],
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body), 'utf8') }),
  },
  ...(body === undefined ? {} : { value: { json: body } }),
  ...(expected === undefined ? {} : { expected }),
})

const api = '/v1/data-import'

const accountOf = ({ supplier, number }: Account): JsonObject => ({
  ...sample('gas-account.json'),
  import_supplier: supplier,
  external_account_number: number,
})

const additions: readonly (readonly [path: string, file: string])[] = [
  ['notes', 'notes.json'],
  ['historical-statements', 'historical-statements.json'],
  ['payment-instruction', 'payment-instruction.json'],
  ['transactions', 'transactions.json'],
]

const statusOf = (account: Account): Request =>
  request(
    account,
    'GET',
    `${api}/account-transfer-status/${encodeURIComponent(account.supplier)}/${encodeURIComponent(account.number)}/`,
    undefined,
    [200],
  )

/** The account is staged, once or twice. */
export const staged = (account: Account): readonly Request[] => {
  const stage = (status: number): Request =>
    request(account, 'POST', `${api}/account-import-process/create-or-update/`, accountOf(account), [status])
  return [
    request(account, 'POST', `${api}/validate-account/`, accountOf(account), [200]),
    stage(201),
    stage(200),
    statusOf(account),
  ]
}

/** The account is staged and created, and everything is added to it. */
export const created = (account: Account): readonly Request[] => {
  const process = (dryRun: boolean, status: number): Request => {
    const { number, supplier, team } = account
    const names = {
      external_account_number: number,
      import_supplier_code: supplier,
      operations_team_name: team,
    }
    return request(account, 'POST', `${api}/account-import-process/process/`, { ...names, dry_run: dryRun }, [
      status,
    ])
  }
  const identity = { import_supplier: account.supplier, external_account_number: account.number }
  return [
    ...staged(account),
    process(true, 400),
    process(false, 201),
    process(false, 400),
    statusOf(account),
    ...additions.map(([path, file]) =>
      request(account, 'POST', `${api}/${path}/create/`, { ...sample(file), ...identity }, [201]),
    ),
  ]
}
