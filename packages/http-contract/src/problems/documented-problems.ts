import { type CatalogueEntry, type FieldCode, type LocalDate, portFailure } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'
import { problemOf, type Refusal } from './problem-of.js'
import type { Problem } from './problem.js'
import { transportProblems } from './transport-problems.js'
import { useCaseProblems } from './use-case-problems.js'

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
  transactionData: {
    transaction_id: '',
    transaction_date: '1900-01-01' as LocalDate,
    amount: toMoney(0),
    type: 'CREDIT',
  },
  warnings: [{ detail: '', code: 'unknown_field', attr: '' }],
}

/** What decides about status and code besides the tag: the kind of a port failure, the status of broken HTTP. */
const deciding = [
  { kind: 'unavailable', status: 400 },
  { kind: 'unexpected', status: 408 },
  { kind: 'unexpected', status: 431 },
] as const

/** Every way in which a refusal of this tag is answered: statuses and codes of the problem table. */
export const problemsOfTag = (tag: Refusal['_tag']): readonly Problem[] =>
  // The object has the fields of every refusal, so it is one of any tag.
  deciding.map((fields) => problemOf({ _tag: tag, ...plain, ...fields } as Refusal, ''))

const tags = Object.keys({ ...useCaseProblems, ...transportProblems }) as Refusal['_tag'][]

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
