import type { Answer, NoAnswer } from '../exchange.js'
import type { Request } from '../request.js'
import { allowedFor, allowedForBytes, type Allowed } from './addresses.js'
import { bodyFaults } from './body-faults.js'
import type { DeclaredAnswer } from './contract.js'
import { headerFaults, headerOf } from './header-faults.js'
import type { Examined } from './examined.js'
import { placeFaults } from './places.js'

/** Outcomes that depend on what a payment vendor says, not on what the request holds. */
const isVendors = (codes: readonly string[]): boolean => codes.includes('payment_vendor_unavailable')

const against = (request: Request, answer: Answer, declared: DeclaredAnswer | undefined): readonly string[] =>
  declared === undefined
    ? [`the status ${answer.status} is not declared`]
    : [...headerFaults(answer, declared), ...bodyFaults(request, answer, declared).faults]

const statusFaults = ({ expected }: Request, status: number, codes: readonly string[]): readonly string[] => [
  ...(status >= 500 && !isVendors(codes) ? [`a failure of the service: ${status} ${codes.join()}`] : []),
  ...(expected === undefined || expected.includes(status)
    ? []
    : [`${expected.join(' or ')} was expected, and ${status} ${codes.join()} came`]),
]

const schemaFaults = ({ value }: Request, { operation }: Allowed, status: number): readonly string[] => {
  if (value === undefined || operation?.body?.type !== 'application/json' || status >= 400) return []
  const objection = operation.body.objectionTo(value.json)
  return objection === undefined ? [] : [`a body was accepted that the document refuses: ${objection}`]
}

const unanswered = ({ mayBeCut }: Request, endpoint: string, { silent, why }: NoAnswer): Examined => ({
  endpoint,
  status: 0,
  codes: [],
  faults: silent === 'cut off' && mayBeCut === true ? [] : [`${silent}: ${why}`],
})

/** Holds an answer to what the OpenAPI document, or what is said of other addresses, declares for it. */
export const examine = (request: Request, answer: Answer | NoAnswer): Examined => {
  const { method, target, raw } = request.sent
  const allowed = raw === undefined ? allowedFor(method, target) : allowedForBytes(method, target)
  const { endpoint } = allowed
  if ('silent' in answer) return unanswered(request, endpoint, answer)
  const place = placeFaults(request, answer)
  if (place !== undefined) return place
  const { status } = answer
  const declared = allowed.answers.map((answers) => answers.get(status)).filter((each) => each !== undefined)
  const all = (declared.length === 0 ? [undefined] : declared).map((each) => against(request, answer, each))
  const [least = []] = all.toSorted((left, right) => left.length - right.length)
  const { codes } = bodyFaults(request, answer, undefined)
  const faults = [
    ...least,
    ...statusFaults(request, status, codes),
    ...schemaFaults(request, allowed, status),
    ...(headerOf(answer, 'x-request-id').length === 1 ? [] : ['X-Request-Id is not there once']),
  ]
  return { endpoint, status, codes, faults: [...new Set(faults)] }
}
