import { type CatalogueEntry, type FieldCode, type LocalDate, portFailure } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'
import { replayedHeader } from '../lines.js'
import { type Problem, problemOf, type Refusal, problemTable } from '../problems.js'
import { withMeanings } from './answer-fields.js'
import type { JsonSchema } from './codec-schema.js'

type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The fields of all refusals, except those that determine status and code. */
type PlainFields = Together<
  Refusal extends infer Each ? (Each extends Refusal ? Omit<Each, '_tag' | 'kind' | 'status'> : never) : never
>

const { port, operation } = portFailure('unexpected', 'accounts', 'create', undefined)

const plain: PlainFields = {
  allow: ['GET'],
  apiKeyId: '',
  cause: undefined,
  errors: [],
  externalAccountNumber: '',
  importSupplier: '',
  key: { organisation: '', importSupplier: '', externalAccountNumber: '' },
  limitBytes: 0,
  operation,
  platformAccountNumber: '',
  port,
  reference: '',
  retryAfterSeconds: 1,
  sameData: true,
  transactionData: {
    transaction_id: '',
    transaction_date: '1900-01-01' as LocalDate,
    amount: toMoney(0),
    type: 'CREDIT',
  },
  warnings: [{ detail: '', code: 'unknown_field', attr: '' }],
}

/** Fields that determine status and code besides the tag: the kind of a port failure, the status of broken HTTP. */
const deciding = [
  { kind: 'unavailable', status: 400 },
  { kind: 'unexpected', status: 408 },
  { kind: 'unexpected', status: 431 },
] as const

/** All responses to refusals of this tag, from the problem table. */
const problemsOfTag = (tag: Refusal['_tag']): readonly Problem[] =>
  // The object has the fields of all refusals, so it is valid for any tag.
  deciding.map((fields) => problemOf({ _tag: tag, ...plain, ...fields } as Refusal, ''))

const tags = Object.keys(problemTable) as Refusal['_tag'][]

const collected = (): ReadonlyMap<string, ReadonlySet<number>> => {
  const statuses = new Map<string, Set<number>>()
  for (const { status, body } of tags.flatMap(problemsOfTag))
    statuses.set(body.code, (statuses.get(body.code) ?? new Set()).add(status))
  return statuses
}

const ofAnswers = collected()

/**
 * The HTTP statuses of responses with a code, in ascending order: 400 for a code of `errors`. Empty for a warning, which any
 * success may have, and for a code that no response has.
 */
export const statusesOf = (code: FieldCode, { where, severity }: CatalogueEntry): readonly number[] => {
  const own = [...(ofAnswers.get(code) ?? [])].sort((left, right) => left - right)
  return own.length === 0 && where.includes('F') && severity === 'error' ? [400] : own
}

/** The refusals of one status: their top-level codes, and the header names of each. */
type Found = { readonly codes: Set<string>; readonly headers: (readonly string[])[] }

const problemSchema = (codes: Iterable<string>): JsonSchema => ({
  $ref: '#/components/schemas/Problem',
  type: 'object',
  properties: withMeanings({ code: { type: 'string', enum: [...codes] } }),
})

const header = (description: string, required: boolean, schema: JsonSchema): JsonSchema => ({
  description,
  required,
  schema,
})

const text: JsonSchema = { type: 'string' }

/** Response headers by name. A required header is in every response that declares it. */
export const headerComponents = {
  'X-Request-Id': header('Id of the request in the log of the service.', true, {
    type: 'string',
    minLength: 1,
  }),
  'Retry-After': header('Seconds to wait before the request is sent again.', true, {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('How to authenticate.', true, { type: 'string', enum: ['Token'] }),
  'Accept-Encoding': header('Supported compression of a request body.', true, {
    type: 'string',
    enum: ['gzip'],
  }),
  'Import-Warnings': header(
    'The first warnings: a list of paths, each with its code (RFC 8941). Absent without warnings.',
    false,
    text,
  ),
  'Import-Warnings-Total': header('The number of all warnings. Absent without warnings.', false, {
    type: 'integer',
    minimum: 1,
  }),
  Link: header('With a page: the address of the next page, rel="next".', false, text),
  [replayedHeader]: header(
    'Present if the answer was given before, to a request with the same idempotency key.',
    false,
    { type: 'string', enum: ['true'] },
  ),
  'RateLimit-Policy': header(
    'If the requests of a key are limited: the number of requests and the window in seconds.',
    false,
    text,
  ),
  RateLimit: header(
    'If the requests of a key are limited: the requests that are left and the seconds until the next window.',
    false,
    text,
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

type HeaderName = keyof typeof headerComponents

const isKnown = (name: string): name is HeaderName => name in headerComponents

/** The headers of a response: `always` in each, `sometimes` only in some. */
export const headersOf = (always: Iterable<string>, sometimes: Iterable<string> = []): JsonSchema => {
  const refTo = (name: string): readonly [string, JsonSchema] => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]
  const optional = (name: HeaderName): readonly [string, JsonSchema] =>
    headerComponents[name].required ? [name, { ...headerComponents[name], required: false }] : refTo(name)
  return Object.fromEntries([
    ...[...always].filter(isKnown).map(refTo),
    ...[...sometimes].filter(isKnown).map(optional),
  ])
}

/** `more`: further headers that each of these responses may have. */
const response = ({ codes, headers }: Found, more: readonly string[]): JsonSchema => {
  const named = new Set(headers.flat())
  const isAlways = (name: string): boolean => headers.every((each) => each.includes(name))
  const always = [...named].filter(isAlways)
  const sometimes = [...named, ...more].filter((name) => !always.includes(name))
  return {
    description: `Refused: ${[...codes].join(', ')}`,
    headers: headersOf(['X-Request-Id', ...always], sometimes),
    content: { 'application/json': { schema: problemSchema(codes) } },
  }
}

const byStatus = (problems: readonly Problem[]): ReadonlyMap<number, Found> => {
  const found = new Map<number, Found>()
  for (const { status, body, headers } of problems) {
    const { codes, headers: each } = found.get(status) ?? { codes: new Set<string>(), headers: [] }
    codes.add(body.code)
    each.push(Object.keys(headers))
    found.set(status, { codes, headers: each })
  }
  return found
}

/**
 * The responses to refusals by status, each with its possible top-level codes. `moreOf`: headers that responses of a status may
 * have besides those of the problem table.
 */
export const problemResponses = (
  tags: readonly Refusal['_tag'][],
  moreOf: (status: number) => readonly string[] = () => [],
): JsonSchema => {
  const statuses = [...byStatus([...new Set(tags)].flatMap(problemsOfTag))]
  statuses.sort(([left], [right]) => left - right)
  return Object.fromEntries(
    statuses.map(([status, found]) => [String(status), response(found, moreOf(status))]),
  )
}
