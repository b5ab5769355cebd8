import type { ErrorCode, FieldError } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { detailOf } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'

/** A GraphQL request as it comes over HTTP, one operation in one object. */
export type GraphqlRequest = Readonly<{
  query: string
  operationName: string | null
  variables: Readonly<Record<string, unknown>> | null
}>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Finding = readonly [attr: string, code: ErrorCode]

const findingsOf = ({ query, operationName, variables }: Readonly<Record<string, unknown>>): Finding[] => [
  ...(query === undefined ? [['query', 'required'] as const] : []),
  ...(query !== undefined && typeof query !== 'string' ? [['query', 'invalid'] as const] : []),
  ...(typeof (operationName ?? '') === 'string' ? [] : [['operationName', 'invalid'] as const]),
  ...(isObject(variables ?? {}) ? [] : [['variables', 'not_a_dict'] as const]),
]

const fieldErrorOf = ([attr, code]: Finding): FieldError => ({
  detail: detailOf(code, { form: 'a text in quotes' }),
  code,
  attr,
})

const refused = (findings: readonly Finding[]): Either<TransportRefusal, never> =>
  E.left({ _tag: 'RequestNotValid', errors: findings.map(fieldErrorOf) })

/**
 * The request that a parsed body holds: its query, operation name and variables. Anything else in it, also
 * `extensions`, is not looked at. A list of requests (a batch) is not taken.
 */
export const graphqlRequest = (body: unknown): Either<TransportRefusal, GraphqlRequest> => {
  if (!isObject(body)) return refused([['', 'not_a_dict']])
  const findings = findingsOf(body)
  if (findings.length > 0) return refused(findings)
  const {
    query,
    operationName = null,
    variables = null,
  } = body as Partial<GraphqlRequest> & { query: string }
  return E.right({ query, operationName, variables })
}
