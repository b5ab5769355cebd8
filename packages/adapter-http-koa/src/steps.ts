import { E, type Either } from '@account-import/core/fp'
import type { Refusal } from '@account-import/http-contract'

type Added<A> = Either<Refusal, A> | Promise<Either<Refusal, A>>

/** A step reads what is known of a request, and adds to it or refuses it. It waits only if it returns a promise. */
export type Step<Known, A extends object> = (known: Known) => Added<A>

/** Steps in their order. The types grow with each, so that a step cannot stand before one whose result it reads. */
export type Steps<Start, Known> = Readonly<{
  step<A extends object>(next: Step<Known, A>): Steps<Start, Known & A>
  /** The first step that refuses ends the run. */
  run(start: Start): Promise<Either<Refusal, Known>>
}>

const stepsOf = <Start extends object, Known extends Start>(
  all: readonly Step<never, object>[],
): Steps<Start, Known> => ({
  step: (next) => stepsOf([...all, next as Step<never, object>]),
  run: async (start) => {
    let known: object = start
    for (const step of all) {
      const added = step(known as never)
      const outcome = added instanceof Promise ? await added : added
      if (E.isLeft(outcome)) return outcome
      known = { ...known, ...outcome.right }
    }
    return E.right(known as Known)
  },
})

/** A list without a step. */
export const noSteps = <Start extends object>(): Steps<Start, Start> => stepsOf([])
