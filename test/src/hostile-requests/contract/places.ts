import type { Answer } from '../exchange.js'
import type { Request } from '../request.js'
import { headerOf } from './header-faults.js'
import type { Examined } from './examined.js'

/** Addresses that the OpenAPI document does not describe: what they answer to GET and HEAD, and in which media type. */
const places: readonly (readonly [path: RegExp, type: string])[] = [
  [/^\/$/, 'text/plain'],
  [/^\/openapi\.json\/?$/, 'application/json'],
  [/^\/docs\/?$/, 'text/html'],
  [/^\/docs\/errors\/?$/, 'text/html'],
  [/^\/docs\/errors\/[^/]+\/?$/, 'text/html'],
  [/^\/docs\/(?:endpoints|tutorials|how-to|reference)\/[^/]+\/?$/, 'text/html'],
  [/^\/docs\/search\/?$/, 'text/html'],
  [/^\/docs\/interactive\/?$/, 'text/html'],
  [/^\/docs\/interactive\/[^/]+\/?$/, 'text/'],
  [/^\/livez\/?$/, 'application/json'],
  [/^\/readyz\/?$/, 'application/json'],
  [/^\/metrics\/?$/, 'text/plain'],
]

/** Refused before anybody looks at the address. */
const ofTransport = new Set([400, 408, 429, 431])

/** What is said of an answer by one of these addresses; undefined where the request is for none of them. */
export const placeFaults = ({ sent }: Request, answer: Answer): Examined | undefined => {
  const path = sent.target.split('?', 1)[0] ?? ''
  const type = places.find(([form]) => form.test(path))?.[1]
  if (sent.raw !== undefined || type === undefined || !/^(GET|HEAD)$/.test(sent.method)) return undefined
  const { status, body } = answer
  if (ofTransport.has(status)) return undefined
  const [found = ''] = headerOf(answer, 'content-type')
  const isUnknownPage = /^\/docs\/[^/]+\/[^/]/.test(path) && status === 404
  const isWell =
    (path === '/' && status === 302 && /^\/docs\/$/.test(headerOf(answer, 'location').join())) ||
    (status === 200 && found.startsWith(type) && body.length > 0 === (sent.method === 'GET')) ||
    (status === 304 && body.length === 0) ||
    (isUnknownPage && /^(text\/html|application\/json)/.test(found))
  return {
    endpoint: `${sent.method} ${path.replace(/\/$/, '')}`,
    status,
    codes: [],
    faults: isWell ? [] : [`${status} ${found} is not what this address answers`],
  }
}
