import { kindOf, names, numberTemplate } from './names.js'
import { samplePayloads } from './sample-payloads.js'
import { transactionPayloads } from './transaction-payloads.js'
import { makeStamp, type Stamp } from './stamp.js'

/** What a request asks for. */
export const verbs = ['stage', 'process', 'transactions'] as const
export type Verb = (typeof verbs)[number]

/** Paths are the service's own; the floor answers the same ones. */
export const paths: Readonly<Record<Verb, string>> = {
  stage: '/v1/data-import/account-import-process/create-or-update/',
  process: '/v1/data-import/account-import-process/process/',
  transactions: '/v1/data-import/transactions/create/',
}

const bodies: Readonly<Record<Verb, () => readonly string[]>> = {
  stage: samplePayloads,
  process: () =>
    [0, 1].map((kind) =>
      JSON.stringify({
        external_account_number: numberTemplate(kind),
        import_supplier_code: names.supplier,
        operations_team_name: names.team,
      }),
    ),
  transactions: transactionPayloads,
}

const requestStamp = (verb: Verb, token: string, body: string): Stamp =>
  makeStamp(
    [
      `POST ${paths[verb]} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: keep-alive',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Authorization: Token ${token}`,
      '',
      body,
    ].join('\r\n'),
  )

/** Gives the whole HTTP request for an account, valid until the next call. One for each connection. */
export const makeRequests = (verb: Verb, token: string): ((index: number) => Buffer) => {
  const stamps = bodies[verb]().map((body) => requestStamp(verb, token, body))
  return (index) => {
    const stamp = stamps[kindOf(index)]
    if (stamp === undefined) throw new Error(`No template for account ${index}`)
    return stamp.withNumber(index)
  }
}
