import type { Problem } from './problem.js'
import { transportProblems, type TransportRefusal } from './transport-problems.js'
import { type UseCaseRefusal, useCaseProblems } from './use-case-problems.js'

export type Refusal = UseCaseRefusal | TransportRefusal

const problems = { ...useCaseProblems, ...transportProblems }

/** How a refusal is answered. `requestId` is shown where the service itself is at fault. */
export const problemOf = (refusal: Refusal, requestId: string): Problem => {
  // The row was found by the tag, so it takes this refusal; the compiler cannot follow that through the union.
  const row: (refusal: never, requestId: string) => Problem = problems[refusal._tag]
  return row(refusal as never, requestId)
}
