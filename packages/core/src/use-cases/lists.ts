import { E, type Either } from '../fp.js'
import type { PortResult } from '../ports/port-failure.js'

/** Does the work for the rights together, and leaves each left in its place. `work` answers each item, in their order. */
export const mapRights = async <L, A, M, B>(
  all: readonly Either<L, A>[],
  work: (rights: readonly A[]) => Promise<readonly Either<M, B>[]>,
): Promise<readonly Either<L | M, B>[]> => {
  const rights = all.flatMap((each) => (E.isRight(each) ? [each.right] : []))
  const answers = (rights.length === 0 ? [] : await work(rights)).values()
  return all.map((each) => (E.isLeft(each) ? each : (answers.next().value as Either<M, B>)))
}

/** Does one work for the items that meet the condition, then another for the others. One answer for each item, in their order. */
export const mapByCondition = async <A, B>(
  all: readonly A[],
  meets: (item: A) => boolean,
  work: (items: readonly A[]) => Promise<readonly B[]>,
  otherWork: (items: readonly A[]) => Promise<readonly B[]>,
): Promise<readonly B[]> => {
  const [items, others] = [all.filter(meets), all.filter((item) => !meets(item))]
  const answers = (items.length === 0 ? [] : await work(items)).values()
  const otherAnswers = (others.length === 0 ? [] : await otherWork(others)).values()
  return all.map((item) => (meets(item) ? answers : otherAnswers).next().value as B)
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
