import { E, type Either } from '../fp.js'
import type { Failed } from '../ports/account-imports.js'
import { noOutcome, type PortFailure, type PortResult } from '../ports/port-failure.js'

/** The answer at an index; a missing one is a failure. */
export const answerAt = <L, A>(answers: readonly Either<L, A>[], index: number): Either<L | PortFailure, A> =>
  answers[index] ?? E.left(noOutcome())

/**
 * Does the work for the rights together, and leaves each left in its place. `work` answers each item, in their order; one without an
 * answer is a failure.
 */
export const mapRights = async <L, A, M, B>(
  all: readonly Either<L, A>[],
  work: (rights: readonly A[]) => Promise<readonly Either<M, B>[]>,
): Promise<readonly Either<L | M | PortFailure, B>[]> => {
  const rights = all.flatMap((each) => (E.isRight(each) ? [each.right] : []))
  const answers = rights.length === 0 ? [] : await work(rights)
  let next = 0
  return all.map((each) => (E.isLeft(each) ? each : answerAt(answers, next++)))
}

export type NonEmpty<A> = readonly [A, ...A[]]

/** The items in lists of at most so many. */
export const chunksOf = <A>(all: readonly A[], most: number): readonly NonEmpty<A>[] => {
  const chunks: NonEmpty<A>[] = []
  for (let from = 0; from < all.length; from += most) {
    const [first, ...rest] = all.slice(from, from + most)
    if (first !== undefined) chunks.push([first, ...rest])
  }
  return chunks
}

/**
 * Does the work for the items of a kind together, which returns each in their order, and leaves all others in their places. An item
 * that the work does not return stays as it was.
 */
export const replaced = async <A, Some extends A>(
  all: readonly A[],
  isSome: (item: A) => item is Some,
  work: (some: NonEmpty<Some>) => Promise<readonly A[]>,
): Promise<readonly A[]> => {
  const [first, ...rest] = all.filter(isSome)
  if (first === undefined) return all
  const done = await work([first, ...rest])
  let next = 0
  return all.flatMap((item) => (isSome(item) ? [...done.slice(next, ++next), item].slice(0, 1) : [item]))
}

/** Each item with its answer, both in one order; one without an answer is a failure. */
export const withAnswers = <Item, L, A>(
  items: readonly Item[],
  answers: readonly Either<L, A>[],
): readonly (Item & Readonly<{ answer: Either<L | PortFailure, A> }>)[] =>
  items.map((item, index) => ({ ...item, answer: answerAt(answers, index) }))

/** The outcomes of a port, each with its item; an item is `failed` where the port failed, or returned no outcome for it. */
export const withOutcomes = <Item, Outcome>(
  items: readonly Item[],
  outcomes: Either<PortFailure, readonly Outcome[]>,
): readonly Readonly<{ item: Item; outcome: Outcome | Failed }>[] => {
  const answers = E.isLeft(outcomes) ? items.map(() => outcomes) : outcomes.right.map(E.right)
  return items.map((item, index) => {
    const answer = answerAt<PortFailure, Outcome>(answers, index)
    return { item, outcome: E.isLeft(answer) ? { _tag: 'failed', failure: answer.left } : answer.right }
  })
}

/** A read of a port that asks for each name once, however many items of a list have it; to be made for each list. */
export const readOnce = <Input extends readonly string[], Found>(
  read: (...input: Input) => PortResult<Found>,
): ((...input: Input) => PortResult<Found>) => {
  const found = new Map<string, PortResult<Found>>()
  return (...input) => {
    const name = input.join('\u0000')
    const known = found.get(name) ?? read(...input)
    found.set(name, known)
    return known
  }
}

/** Does the work for one item after the other, and collects the values; the first Left ends it. */
export const eachInTurn = async <Item, L, A>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Either<L, A>>,
): Promise<Either<L, readonly A[]>> => {
  const done: A[] = []
  for (const item of items) {
    const answer = await work(item)
    if (E.isLeft(answer)) return answer
    done.push(answer.right)
  }
  return E.right(done)
}

type Step<L, A> = () => Promise<Either<L, A>>

/** Does one step after the other, and returns the answer of the last; the first Left ends it. */
export const inSequence = async <L, A>(
  ...[first, ...rest]: readonly [...(readonly Step<L, unknown>[]), Step<L, A>]
): Promise<Either<L, A>> => {
  let answer = await first()
  for (const step of rest) {
    if (E.isLeft(answer)) return answer
    answer = await step()
  }
  return answer as Either<L, A>
}

/** Asks a port a second time if it fails the first time. */
export const askedTwice = async <A>(ask: () => PortResult<A>): PortResult<A> => {
  const first = await ask()
  return E.isLeft(first) ? ask() : first
}
