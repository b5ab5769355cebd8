import { problemsOfTag } from '../problems/problems-of-tag.js'
import type { Problem } from '../problems/problem.js'
import type { Refusal } from '../problems/problem-of.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { headersOf } from './headers.js'

/** The answers of one status that refusals become: the codes at their top, and the headers of each of them. */
type Found = { readonly codes: Set<string>; readonly headers: (readonly string[])[] }

const problemSchema = (codes: Iterable<string>): JsonSchema => ({
  $ref: '#/components/schemas/Problem',
  type: 'object',
  properties: { code: { type: 'string', enum: [...codes] } },
})

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
