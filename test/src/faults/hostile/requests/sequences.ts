import fc from 'fast-check'
import { operations, type Operation } from '../contract.js'
import { canary, texts, type Account, type BodyFor, type Plan, type Request } from '../exchange.js'
import { bodiesFor } from './bodies.js'
import { changes, rawPlans } from './transport.js'
import { created, headersOf, staged } from './well-meant.js'

/** Text for one segment of a path, unescaped. */
const hostileSegments = texts(
  '%2F|a%2Fb|%252F|%00|%0A|%zz|%|%C0%AF|%ED%A0%80|%E2%82|%C3%B1|e%CC%81|..|%2e%2e|.|%20|A%20|a;b=c|a:b@c|*',
  `{x}|__proto__|constructor|${canary}|${'x'.repeat(33)}|${'x'.repeat(129)}|${'x'.repeat(8000)}|\u00e9`,
  `'%20OR%201=1--|%F0%9F%98%80|%EF%BB%BF`,
)

const cursorOf = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')

const queries = texts(
  '|?|?limit=1|?limit=2|?limit=1000|?limit=0|?limit=1001|?limit=-1|?limit=1.0|?limit=1e3|?limit=01',
  '?limit=%31|?limit=|?limit|?limit=1&limit=2|?limit[]=1|?limit=9007199254740993|?LIMIT=1',
  `?limit=1;cursor=x|?limit=%00|?cursor=|?cursor=${canary}|?limit=1&cursor=${cursorOf('1A-1')}`,
  `?limit=3&cursor=${cursorOf('1')}|?cursor=${cursorOf('2A-1')}|?cursor=${cursorOf('1\u0000')}`,
  `?cursor=${cursorOf(`1${'x'.repeat(200)}`)}|?cursor=${cursorOf('1H')}=|?cursor=${cursorOf('1\ud83d')}`,
  `?limit=1&cursor=${cursorOf('1\u{10FFFF}')}|?cursor=a&cursor=b|?__proto__[x]=1&constructor=2|?%zz=%zz`,
  `?\u00e9=\u00e9|?${'a=1&'.repeat(500)}|?check_previously_added=true`,
  '?check_previously_added=FALSE&force_add_to_current_statement=False|?check_previously_added=0',
  '?force_add_to_current_statement=&check_previously_added=true',
  '?check_previously_added=true&check_previously_added=true|?x#y',
)

type Segment = (account: Account) => string

const segments = (name: string): fc.Arbitrary<Segment> => {
  const own: Segment = ({ supplier, number }) =>
    encodeURIComponent(name === 'import_supplier_code' ? supplier : number)
  const others = fc.constantFrom<Segment>(
    ({ foreignSupplier }) => foreignSupplier,
    ({ pausedSupplier }) => pausedSupplier,
  )
  const free = fc.string({ unit: 'grapheme', minLength: 1 })
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(own) },
    { weight: 1, arbitrary: others },
    { weight: 4, arbitrary: fc.constantFrom(...hostileSegments).map((text) => () => text) },
    { weight: 1, arbitrary: free.map((text) => () => encodeURIComponent(text)) },
  )
}

/** The target in the request line for an endpoint. */
const targetsOf = ({ path, parameters }: Operation): fc.Arbitrary<Segment> => {
  const names = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
  const hasQuery = parameters.some((each) => each.in === 'query')
  const anyQuery = fc.constantFrom(...queries)
  return fc
    .record({
      parts: fc.tuple(...names.map(segments)),
      query: fc.oneof(
        { weight: hasQuery ? 1 : 6, arbitrary: fc.constant('') },
        { weight: 2, arbitrary: hasQuery ? anyQuery : fc.oneof(fc.constant(''), anyQuery) },
      ),
      hasSlash: fc.boolean(),
    })
    .map(({ parts, query, hasSlash }) => (account) => {
      let i = 0
      const whole = path.replace(/\{\w+\}/g, () => parts[i++]?.(account) ?? '')
      return (hasSlash ? whole : whole.replace(/\/$/, '')) + query
    })
}

const others = texts(
  '/|//|/v1|/v1/data-import/|/v1/data-import/nothing/|/V1/data-import/validate-account/',
  '/v1//data-import/validate-account/|/v1/data-import/validate-account//',
  '/v1/data-import/./validate-account/|/v1/data-import/../data-import/validate-account/',
  '/v1/data-import/validate%2Daccount/|/v1%2Fdata-import%2Fvalidate-account%2F',
  '/v1/data-import/validate-account/%00|/v1/data-import/account-transfer-status/',
  '/v1/data-import/account-transfer-status/A/|/v1/data-import/account-transfer-status/A//',
  '/v1/data-import/account-transfer-status/A/B/C/|/.git/config|/..%2f..%2fetc/passwd',
  'http://127.0.0.1/v1/data-import/validate-account/|http://[|*|/\u00e9|/%|/openapi.json|/openapi.json/',
  '/docs|/docs/|/docs/errors/|/docs/errors/parse_error/|/docs/errors/nothing/|/docs/errors/%00/',
  '/docs/errors/__proto__/|/docs/errors/constructor/|/docs/endpoints/stageAccount/',
  '/docs/endpoints/__proto__/|/docs/how-to/operate/|/docs/how-to/..%2f..%2fpages/',
  '/docs/reference/..%2fpages.json|/docs/search/?q=idempotency|/docs/search/?q=%00%F0%9F&q=<script>',
  `/docs/search/?q=${'(a+)+$%20'.repeat(200)}|/docs/interactive/|/docs/interactive/swagger-ui.css`,
  '/docs/interactive/..%2finteractive.json|/docs/interactive/__proto__|/livez|/readyz|/metrics',
  '/livez?x=%zz',
)

/** Addresses that no endpoint has, and those of documents and probes. */
const otherTargets: fc.Arbitrary<string> = fc.constantFrom(...others)

const tokens = fc.oneof(
  { weight: 20, arbitrary: fc.constant('full' as const) },
  { weight: 3, arbitrary: fc.constantFrom('foreign' as const, 'validate' as const, 'read' as const) },
)

const nothing: BodyFor = () => ({ bytes: new Uint8Array() })

const requestsFor = (operation: Operation): fc.Arbitrary<Plan> => {
  const { method, body, needsToken } = operation
  return fc
    .record({
      target: targetsOf(operation),
      body: body === undefined ? fc.constant(nothing) : bodiesFor(operation.id, body),
      token: tokens,
      change: changes,
      key: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(2) }),
      times: fc.oneof(
        { weight: 8, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.constantFrom(2, 3) },
      ),
    })
    .map(({ target, body: bodyFor, token, change, key, times }) => (account) => {
      const { bytes, ...known } = bodyFor(account)
      const headers = headersOf({
        Authorization: needsToken ? `Token ${account.tokens[token]}` : undefined,
        'Content-Type': body?.type,
        'Idempotency-Key': key === undefined ? undefined : `${account.number}-${key}`,
      })
      const sent = { method, target: target(account), headers, ...(body !== undefined && { body: bytes }) }
      return [Array<Request>(times).fill(change({ ...known, sent }))]
    })
}

const elsewhere: fc.Arbitrary<Plan> = fc
  .record({ target: otherTargets, change: changes })
  .map(({ target, change }) => () => [[change({ sent: { method: 'GET', target, headers: headersOf({}) } })]])

/** Any request: each endpoint as often as the others, few to other addresses, few that are hardly HTTP. */
const hostile: fc.Arbitrary<Plan> = fc.oneof(
  ...operations.map((operation) => ({ weight: 8, arbitrary: requestsFor(operation) })),
  { weight: 6, arbitrary: elsewhere },
  { weight: 6, arbitrary: fc.constantFrom(...rawPlans) },
)

const inTurn =
  (requests: (account: Account) => readonly Request[]): Plan =>
  (account) =>
    requests(account).map((each) => [each])

const beginnings = fc.constantFrom<Plan>(() => [], inTurn(staged), inTurn(created))

/** They are cut into pieces that can be repeated alone. */
const mostSteps = 24

/** The steps with one account: a good beginning, or none, and then any requests. */
const sequence: fc.Arbitrary<Plan> = fc
  .record({ beginning: beginnings, steps: fc.array(hostile, { minLength: 8, maxLength: mostSteps }) })
  .map(
    ({ beginning, steps }) =>
      (account: Account) =>
        [beginning, ...steps].flatMap((plan) => plan(account)),
  )

/** The sequence of this number in a run with this seed. */
export const sequenceOf = (seed: number, index: number): Plan => {
  const [plan] = fc.sample(sequence, { seed: seed + index, numRuns: 1 })
  if (plan === undefined) throw new Error('fast-check gave nothing')
  return plan
}
