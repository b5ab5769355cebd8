import type { Answer } from '../exchange.js'
import type { Request } from '../request.js'
import type { DeclaredAnswer } from './contract.js'
import { headerOf } from './header-faults.js'
import { leaksIn } from './leaks.js'
import { linesFaults } from './lines-faults.js'
import type { Check } from './schemas.js'

type Found = Readonly<{ codes: readonly string[]; faults: readonly string[] }>

const fault = (what: string): Found => ({ codes: [], faults: [what] })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
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

const isRefusal = (status: number, body: unknown): boolean =>
  status >= 400 || (typeof body === 'object' && body !== null && 'errors' in body)

const jsonFaults = (status: number, text: string, objectionTo: Check | undefined): Found => {
  const body = parsed(text)
  if (body === undefined) return fault('the body is no JSON')
  const objection = objectionTo?.(body)
  const faults = [
    ...(objection === undefined ? [] : [`the body is not as declared: ${objection}`]),
    ...(isRefusal(status, body) ? leaksIn(body) : []),
  ]
  return { codes: codesOf(body), faults }
}

const lines = 'application/x-ndjson'

const typeFaults = (
  type: string,
  mediaType: string,
  declared: DeclaredAnswer | undefined,
): readonly string[] => {
  if (declared === undefined) return []
  if (!declared.bodies.has(mediaType))
    return [`the content type ${type || 'that is missing'} is not declared`]
  return mediaType === lines || /; ?charset=utf-8$/i.test(type) ? [] : ['the charset is not there']
}

/** What is wrong with a body; without a declaration only what any body must not have. */
export const bodyFaults = (
  { sent, lineCount }: Request,
  answer: Answer,
  declared: DeclaredAnswer | undefined,
): Found => {
  const [type = ''] = headerOf(answer, 'content-type')
  const mediaType = type.split(';', 1)[0] ?? ''
  const wrongType = typeFaults(type, mediaType, declared)
  if (sent.method === 'HEAD')
    return { codes: [], faults: answer.body.length === 0 ? wrongType : [...wrongType, 'HEAD has a body'] }
  const text = answer.body.toString('utf8')
  const objectionTo = declared?.bodies.get(mediaType)
  const { codes, faults } =
    mediaType === lines
      ? linesFaults(text, objectionTo, lineCount)
      : jsonFaults(answer.status, text, objectionTo)
  return { codes, faults: [...wrongType, ...faults] }
}
