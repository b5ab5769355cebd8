import type { CatalogueEntry, FieldCode } from '@account-import/core'
import { problemsOfTag } from './problems-of-tag.js'
import type { Refusal } from './problem-of.js'
import { transportProblems } from './transport-problems.js'
import { useCaseProblems } from './use-case-problems.js'

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
