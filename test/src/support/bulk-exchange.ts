import { endpoints, type BulkResultLine, type BulkSummaryLine } from '@account-import/http-contract'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'

export type BulkName = 'bulkValidate' | 'bulkStage' | 'bulkProcess'

/** The result of a bulk request. `isCut`: its answer has no summary, or its connection ended too early. */
export type BulkAnswer = Readonly<{
  status: number
  type: string | undefined
  results: readonly BulkResultLine[]
  summary: BulkSummaryLine['summary'] | undefined
}>

export type BulkSending = Readonly<{
  baseUrl: string
  token: string
  headers?: Readonly<Record<string, string>>
}>

const types: Readonly<Record<BulkName, string>> = {
  bulkValidate: 'application/x-ndjson',
  bulkStage: 'application/x-ndjson',
  bulkProcess: 'application/json',
}

/** A request under way, whose body is for the caller to write; full duplex, as `fetch` is not. */
export const openBulk = (
  name: BulkName,
  { baseUrl, token, headers = {} }: BulkSending,
): Readonly<{ sending: ClientRequest; answer: Promise<IncomingMessage> }> => {
  const sending = request(baseUrl + endpoints[name].path, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': types[name], ...headers },
    agent: false,
  })
  const answer = once(sending, 'response').then(([response]) => response as IncomingMessage)
  return { sending, answer }
}

const linesIn = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown)

const isSummary = (line: unknown): line is BulkSummaryLine =>
  typeof line === 'object' && line !== null && 'summary' in line

/** All of a response that arrived. */
export const wholeAnswer = async (response: IncomingMessage): Promise<BulkAnswer> => {
  let text = ''
  response.setEncoding('utf8')
  try {
    for await (const piece of response) text += String(piece)
  } catch {
    // Cut: the earlier results count.
  }
  const status = response.statusCode ?? 0
  const type = response.headers['content-type']
  if (type !== 'application/x-ndjson') return { status, type: text, results: [], summary: undefined }
  const lines = linesIn(text)
  const last = lines.at(-1)
  const results = lines.filter((line) => !isSummary(line)) as readonly BulkResultLine[]
  return { status, type, results, summary: isSummary(last) ? last.summary : undefined }
}

/** Sends a whole body and reads the whole answer. */
export const exchangeBulk = async (
  name: BulkName,
  sending: BulkSending,
  body: string | Uint8Array,
): Promise<BulkAnswer> => {
  const opened = openBulk(name, sending)
  opened.sending.end(body)
  return wholeAnswer(await opened.answer)
}

/** A result in short: `3 201`, `4 400 account_failed_validation`. */
export const inShort = ({ line, status, error }: BulkResultLine): string =>
  error === undefined ? `${line} ${status}` : `${line} ${status} ${error.code}`
