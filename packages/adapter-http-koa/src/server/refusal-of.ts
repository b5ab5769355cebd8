import type { IncomingMessage } from 'node:http'
import type { TransportRefusal } from '@account-import/http-contract'

const mostHeaders = 100

const versions = new Set(['1.1', '1.0'])

const hostsIn = (names: readonly string[]): number => {
  let hosts = 0
  // Names and values in turn.
  for (let i = 0; i < names.length; i += 2) {
    const name = names[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** What is wrong with the head of a request that Node's parser lets pass. HTTP/1.0 knows no Host. */
export const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): TransportRefusal | undefined => {
  const wrong = (what: 'host' | 'headers' | 'version'): TransportRefusal => ({
    _tag: 'NotHttp',
    status: 400,
    wrong: what,
  })
  if (!versions.has(httpVersion)) return wrong('version')
  if (rawHeaders.length > 2 * mostHeaders) return wrong('headers')
  const hosts = hostsIn(rawHeaders)
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? wrong('host') : undefined
}
