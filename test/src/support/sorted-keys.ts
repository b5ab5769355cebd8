import { E, type Either } from '@account-import/core/adapter-kit'

/** The keys of the documents that were found, sorted: AVA compares the order of sets too, and any is right. */
export const sortedKeys = <F>(answer: Either<F, ReadonlySet<string>>): readonly string[] | F =>
  E.isRight(answer) ? [...answer.right].sort() : answer.left
