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

/** The fields of all refusals, except those that decide about status and code. */
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

/** The details that decide about status and code besides the tag: the kind of a port failure, the status of broken HTTP. */
const deciding = [
  { kind: 'unavailable', status: 400 },
  { kind: 'unexpected', status: 408 },
  { kind: 'unexpected', status: 431 },
] as const

/** Every way in which a refusal of this tag is answered: statuses and codes of the problem table. */
const problemsOfTag = (tag: Refusal['_tag']): readonly Problem[] =>
  // The object has the fields of every refusal, so it is one of any tag.
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
 * The HTTP statuses that come with a code, in ascending order. For an entry of `errors` that is 400; none for
 * a warning, which comes with any success, and for a code of a request that is not answered yet.
 */
export const statusesOf = (code: FieldCode, { where, severity }: CatalogueEntry): readonly number[] => {
  const own = [...(ofAnswers.get(code) ?? [])].sort((left, right) => left - right)
  return own.length === 0 && where.includes('F') && severity === 'error' ? [400] : own
}

/** The answers of one status that refusals become: the codes at their top, and the headers of each of them. */
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

/** The headers of answers by their names. Those that are required are on every answer that names them. */
export const headerComponents = {
  'X-Request-Id': header('Names the request in the log of the service.', true, {
    type: 'string',
    minLength: 1,
  }),
  'Retry-After': header('Seconds after which the request is worth trying again.', true, {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('How to authenticate.', true, { type: 'string', enum: ['Token'] }),
  'Accept-Encoding': header('How a body may be packed.', true, { type: 'string', enum: ['gzip'] }),
  'Import-Warnings': header(
    'The first warnings: a list of paths, each with its code (RFC 8941). Absent without warnings.',
    false,
    text,
  ),
  'Import-Warnings-Total': header('The number of all warnings. Absent without warnings.', false, {
    type: 'integer',
    minimum: 1,
  }),
  Link: header('With a page: the address of the next one, rel="next".', false, text),
  [replayedHeader]: header(
    'There where the answer was given before to a request with the same idempotency key.',
    false,
    { type: 'string', enum: ['true'] },
  ),
  'RateLimit-Policy': header('Where the requests of a key are limited: how many in which time.', false, text),
  RateLimit: header('Where the requests of a key are limited: how many are left.', false, text),
} as const satisfies Readonly<Record<string, JsonSchema>>

type HeaderName = keyof typeof headerComponents

const isKnown = (name: string): name is HeaderName => name in headerComponents

/** The headers of an answer: those that are always there, and those that only some of such answers have. */
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

/** `more`: headers that any of these answers may have besides. */
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
 * The answers that refusals become, by status, each with the codes that it can have at its top. `moreOf`: headers that an
 * answer of a status may have besides those of the problem table.
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
