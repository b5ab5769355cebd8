import {
  operations,
  problemWith,
  type Check,
  type DeclaredAnswer,
  type DeclaredHeader,
  type Operation,
} from './contract.js'
import { canary, type Answer, type NoAnswer, type Request } from './exchange.js'

/** The findings about one response; without faults if it is right. */
export type Examined = Readonly<{
  endpoint: string
  status: number
  codes: readonly string[]
  faults: readonly string[]
}>

type Answers = ReadonlyMap<number, DeclaredAnswer>

/**
 * The endpoint as it is counted (`POST /v1/…`, or the kind of request); several possible responses if the request does not
 * determine one.
 */
type Allowed = Readonly<{ endpoint: string; operation?: Operation; answers: readonly Answers[] }>

/** The message where the condition holds. */
const when = (isSo: boolean, what: string): readonly string[] => (isSo ? [what] : [])

// The address.

/** The service cannot parse it as a request. */
const noHttp: Answers = new Map([400, 408, 431].map((status) => [status, problemWith(['parse_error'])]))

/** Statuses of every request. */
const anywhere: Answers = new Map([
  ...noHttp,
  [404, problemWith(['not_found'])],
  [429, problemWith(['throttled'], 'Retry-After')],
])

const wrongMethod: Answers = new Map([[405, problemWith(['method_not_allowed'], 'Allow')]])

/** As the service reads it: with or without the slash at the end, one segment for each parameter. */
const formOf = (path: string): RegExp => {
  const escaped = path.replace(/[.*+?^$()|[\]\\/]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^/]+').replace(/\\\/$/, String.raw`\/?`)}$`)
}

const forms = operations.map((operation) => ({ operation, form: formOf(operation.path) }))

/** A path with one spelling only; for one that is decoded twice or not at all the service may return 404. */
const isPlain = (path: string): boolean => {
  try {
    return path.split('/').every((part) => encodeURIComponent(decodeURIComponent(part)) === part)
  } catch {
    return false
  }
}

/** The possible statuses of a request with this method and target that is good HTTP. */
const allowedFor = (method: string, target: string): Allowed => {
  const path = target.split(/[?#]/, 1)[0] ?? ''
  const at = forms.filter(({ form }) => form.test(path)).map(({ operation }) => operation)
  const operation = at.find((each) => each.method === (method === 'HEAD' ? 'GET' : method))
  if (operation !== undefined) {
    const isClear = isPlain(path) && !target.includes('#')
    const answers = isClear ? [operation.answers] : [operation.answers, anywhere]
    return { endpoint: `${operation.method} ${operation.path}`, operation, answers }
  }
  return at.length > 0
    ? { endpoint: 'another method', answers: [wrongMethod, anywhere] }
    : { endpoint: 'another address', answers: [anywhere, wrongMethod] }
}

/** The same for bytes that are no request in good form. */
const allowedForBytes = (method: string, target: string): Allowed => {
  const allowed = allowedFor(method, target)
  return { ...allowed, endpoint: 'bytes', answers: [noHttp, anywhere, wrongMethod, ...allowed.answers] }
}

/** Addresses outside the OpenAPI document: their responses to GET and HEAD, and the media type. */
const places: readonly (readonly [path: RegExp, type: string])[] = [
  [/^\/$/, 'text/html'],
  [/^\/openapi\.json\/?$/, 'application/json'],
  [
    /^\/docs(?:\/errors(?:\/[^/]+)?|\/(?:endpoints|tutorials|how-to|reference)\/[^/]+|\/search)?\/?$/,
    'text/html',
  ],
  [/^\/docs\/interactive\/?$/, 'text/html'],
  [/^\/docs\/interactive\/[^/]+\/?$/, 'text/'],
  [/^\/(?:livez|readyz)\/?$/, 'application/json'],
  [/^\/metrics\/?$/, 'text/plain'],
]

/** Refused before the address is read. */
const ofTransport = new Set([400, 408, 429, 431])

/** The declaration of an answer by one of these addresses; undefined where the request is for none of them. */
const placeFaults = ({ sent }: Request, answer: Answer): Examined | undefined => {
  const path = sent.target.split('?', 1)[0] ?? ''
  const type = places.find(([form]) => form.test(path))?.[1]
  if (sent.raw !== undefined || type === undefined || !/^(GET|HEAD)$/.test(sent.method)) return undefined
  const { status, body } = answer
  if (ofTransport.has(status)) return undefined
  const [found = ''] = headerOf(answer, 'content-type')
  const isUnknownPage = /^\/docs\/[^/]+\/[^/]/.test(path) && status === 404
  const isWell =
    (path === '/docs' && status === 302 && headerOf(answer, 'location').join() === 'docs/') ||
    (status === 200 && found.startsWith(type) && body.length > 0 === (sent.method === 'GET')) ||
    (status === 304 && body.length === 0) ||
    (isUnknownPage && /^(text\/html|application\/json)/.test(found))
  const faults = when(!isWell, `${status} ${found} is not what this address answers`)
  return { endpoint: `${sent.method} ${path.replace(/\/$/, '')}`, status, codes: [], faults }
}

// Headers.

/** On every response. */
const fixed = [
  'cache-control',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]

/** Headers of the message and the connection, not of the content. */
const ofHttp = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

const unnamed = new Set([...fixed, ...ofHttp])

const headerOf = ({ headers }: Answer, name: string): readonly string[] =>
  headers.filter(([each]) => each === name).map(([, value]) => value)

/** The value in the form of its schema. */
const valueOf = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text)

const faultsOf = (answer: Answer, { name, isRequired, objectionTo }: DeclaredHeader): readonly string[] => {
  const values = headerOf(answer, name)
  if (values.length === 0) return when(isRequired, `the header ${name} is missing`)
  if (values.length > 1) return [`the header ${name} is there ${values.length} times`]
  const [value = ''] = values
  const objection = objectionTo(value) === undefined ? undefined : objectionTo(valueOf(value))
  return objection === undefined ? [] : [`the header ${name} is not as declared: ${objection}`]
}

const headerFaults = (answer: Answer, declared: DeclaredAnswer): readonly string[] => {
  const names = new Set(declared.headers.map(({ name }) => name))
  const isEcho = (name: string): boolean => name === 'x-request-id' || name === 'link'
  return [
    ...declared.headers.flatMap((header) => faultsOf(answer, header)),
    ...fixed.flatMap((name) => when(headerOf(answer, name).length !== 1, `${name} is not there once`)),
    ...answer.headers.flatMap(([name, value]) => [
      ...when(!names.has(name) && !unnamed.has(name), `the header ${name} is not declared`),
      ...when(!isEcho(name) && value.includes(canary), `a value that was sent is in the header ${name}`),
    ]),
  ]
}

// Bodies.

/** Internal texts of the service: stacks, SQL, names of files and of errors of drivers. */
const inside =
  /\bat [\w$.<> ]+\(|node:internal|\.[cm]?js:\d|\b(?:SELECT|INSERT|UPDATE|DELETE) |\bSQLITE_|\bER_[A-Z]|\b(?:Type|Range|Syntax)Error\b|\bknex\b|\bmysql2\b/

/** Fields of refusals that name sent values. */
const echoes =
  /^(external_account_number|import_supplier|platform_account_number|reference|transaction_data)$/

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => (echoes.test(key) ? [] : textsOf(each)))
}

/** Texts that a refusal must not contain. */
const leaksIn = (refusal: unknown): readonly string[] => {
  const texts = textsOf(refusal)
  return [
    ...when(
      texts.some((text) => text.includes(canary)),
      'a value that was sent is in the refusal',
    ),
    ...when(
      texts.some((text) => inside.test(text)),
      'the refusal contains internals of the service',
    ),
  ]
}

type Found = Readonly<{ codes: readonly string[]; faults: readonly string[] }>

const parsed = <A>(text: string): A | undefined => {
  try {
    return JSON.parse(text) as A
  } catch {
    return undefined
  }
}

/** The code of a refusal and those of its entries, by the forms of a problem and of GraphQL. */
const codesOf = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null) return []
  const { code, errors, extensions } = body as Readonly<Record<string, unknown>>
  const entries: readonly unknown[] = Array.isArray(errors) ? errors : []
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(extensions), ...entries.flatMap(codesOf)]
}

const objected = (what: string, value: unknown, objectionTo: Check | undefined): readonly string[] => {
  const objection = objectionTo?.(value)
  return objection === undefined ? [] : [`${what} is not as declared: ${objection}`]
}

const jsonFaults = (status: number, text: string, objectionTo: Check | undefined): Found => {
  const body = parsed<unknown>(text)
  if (body === undefined) return { codes: [], faults: ['the body is no JSON'] }
  const isRefusal = status >= 400 || (typeof body === 'object' && body !== null && 'errors' in body)
  const faults = [...objected('the body', body, objectionTo), ...(isRefusal ? leaksIn(body) : [])]
  return { codes: codesOf(body), faults }
}

type Line = Readonly<{ status?: number; error?: object; summary?: Readonly<Record<string, number>> }>

const lineFaults = (line: Line, objectionTo: Check | undefined): readonly string[] => [
  ...objected('a line', line, objectionTo),
  ...leaksIn(line.error),
  ...when((line.status ?? 0) >= 500, `a failure of the service in a line: ${codesOf(line.error).join()}`),
]

/** `sent`: how many lines were sent, where each has to have one of the answer. */
const summaryFaults = (
  results: readonly Line[],
  last: Line | undefined,
  sent?: number,
): readonly string[] => {
  if (last?.summary === undefined) return ['the last line is no summary']
  const { received = -1, ...others } = last.summary
  const sum = Object.values(others).reduce((total, count) => total + count, 0)
  const failed = results.filter(({ error }) => error !== undefined).length
  const isWhole = received === results.length && (sent === undefined || sent === received)
  return [
    ...when(!isWhole, `the summary counts ${received} of ${sent ?? results.length} lines`),
    ...when(sum !== received || failed !== others['failed'], 'the counts of the summary do not add up'),
  ]
}

const linesFaults = (text: string, objectionTo: Check | undefined, sent?: number): Found => {
  if (!text.endsWith('\n')) return { codes: [], faults: ['the last line has no end'] }
  const all = text
    .trimEnd()
    .split('\n')
    .map((line) => parsed<Line>(line))
  const lines = all.filter((line) => line !== undefined)
  if (lines.length < all.length) return { codes: [], faults: ['a line is no JSON'] }
  return {
    codes: lines.flatMap(({ error }) => codesOf(error)),
    faults: [
      ...new Set(lines.flatMap((line) => lineFaults(line, objectionTo))),
      ...summaryFaults(lines.slice(0, -1), lines.at(-1), sent),
    ],
  }
}

const ndjson = 'application/x-ndjson'

const typeFaults = (
  type: string,
  mediaType: string,
  declared: DeclaredAnswer | undefined,
): readonly string[] => {
  if (declared === undefined) return []
  if (!declared.bodies.has(mediaType))
    return [`the content type ${type || 'that is missing'} is not declared`]
  return when(mediaType !== ndjson && !/; ?charset=utf-8$/i.test(type), 'the charset is not there')
}

/** The faults of a body; without a declaration only the faults of any body. */
const bodyFaults = ({ sent, lineCount }: Request, answer: Answer, declared?: DeclaredAnswer): Found => {
  const [type = ''] = headerOf(answer, 'content-type')
  const mediaType = type.split(';', 1)[0] ?? ''
  const wrongType = typeFaults(type, mediaType, declared)
  if (sent.method === 'HEAD')
    return { codes: [], faults: [...wrongType, ...when(answer.body.length > 0, 'HEAD has a body')] }
  const text = answer.body.toString('utf8')
  const objectionTo = declared?.bodies.get(mediaType)
  const { codes, faults } =
    mediaType === ndjson
      ? linesFaults(text, objectionTo, lineCount)
      : jsonFaults(answer.status, text, objectionTo)
  return { codes, faults: [...wrongType, ...faults] }
}

// The whole response.

const against = (request: Request, answer: Answer, declared: DeclaredAnswer | undefined): readonly string[] =>
  declared === undefined
    ? [`the status ${answer.status} is not declared`]
    : [...headerFaults(answer, declared), ...bodyFaults(request, answer, declared).faults]

const statusFaults = ({ expected }: Request, status: number, codes: readonly string[]): readonly string[] => {
  // Such an outcome depends on a payment vendor, not on the request.
  const isVendors = codes.includes('payment_vendor_unavailable')
  return [
    ...when(status >= 500 && !isVendors, `a failure of the service: ${status} ${codes.join()}`),
    ...when(
      expected !== undefined && !expected.includes(status),
      `${expected?.join(' or ')} was expected, and ${status} ${codes.join()} came`,
    ),
  ]
}

const schemaFaults = ({ value }: Request, { operation }: Allowed, status: number): readonly string[] => {
  if (value === undefined || operation?.body?.type !== 'application/json' || status >= 400) return []
  const objection = operation.body.objectionTo(value.json)
  return objection === undefined ? [] : [`a body was accepted that the document refuses: ${objection}`]
}

/** Compares a response with its declaration in the OpenAPI document, or with that of other addresses. */
export const examine = (request: Request, answer: Answer | NoAnswer): Examined => {
  const { method, target, raw } = request.sent
  const allowed = raw === undefined ? allowedFor(method, target) : allowedForBytes(method, target)
  const { endpoint } = allowed
  if ('silent' in answer) {
    const isAllowed = answer.silent === 'cut off' && request.mayBeCut === true
    return { endpoint, status: 0, codes: [], faults: when(!isAllowed, `${answer.silent}: ${answer.why}`) }
  }
  const place = placeFaults(request, answer)
  if (place !== undefined) return place
  const { status } = answer
  const declared = allowed.answers.map((answers) => answers.get(status)).filter((each) => each !== undefined)
  const all = (declared.length === 0 ? [undefined] : declared).map((each) => against(request, answer, each))
  const [least = []] = all.toSorted((left, right) => left.length - right.length)
  const { codes } = bodyFaults(request, answer)
  const faults = [
    ...least,
    ...statusFaults(request, status, codes),
    ...schemaFaults(request, allowed, status),
    ...when(headerOf(answer, 'x-request-id').length !== 1, 'X-Request-Id is not there once'),
  ]
  return { endpoint, status, codes, faults: [...new Set(faults)] }
}
