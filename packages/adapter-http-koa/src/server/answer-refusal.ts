import type { IncomingMessage, ServerResponse } from 'node:http'
import { problemOf, type TransportRefusal } from '@account-import/http-contract'
import { fixedHeaders } from '../fixed-headers.js'
import type { LogEntry } from '../log-entry.js'
import { requestIdOf } from '../request-id-of.js'
import { refusalEntry } from './refusal-entry.js'

const always = { ...Object.fromEntries(fixedHeaders), 'Content-Type': 'application/json; charset=utf-8' }

/** Answers a request in its turn without the application being asked, and logs it. */
export const answerRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: TransportRefusal,
  log: (entry: LogEntry) => void,
): void => {
  const requestId = requestIdOf(request.headers['x-request-id'])
  const problem = problemOf(refusal, requestId)
  const text = JSON.stringify(problem.body)
  const length = Buffer.byteLength(text)
  const headers = { ...always, 'X-Request-Id': requestId, 'Content-Length': length, ...problem.headers }
  response.writeHead(problem.status, headers)
  response.end(text)
  const method = request.method ?? 'unknown'
  response.once('close', () => log(refusalEntry({ requestId, method }, problem, !response.writableFinished)))
}
