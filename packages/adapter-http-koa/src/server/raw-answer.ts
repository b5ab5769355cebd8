import { STATUS_CODES } from 'node:http'
import type { Problem } from '@account-import/http-contract'
import { fixedHeaders } from '../fixed-headers.js'

/** A whole answer as text for the socket; the connection ends with it. */
export const rawAnswer = ({ status, headers, body }: Problem, requestId: string): string => {
  const text = JSON.stringify(body)
  const all = {
    ...Object.fromEntries(fixedHeaders),
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Date: new Date().toUTCString(),
    ...headers,
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n')
}
