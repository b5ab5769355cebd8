import type { TaskEither, UseCases } from '@account-import/core'

/** What a use case may refuse with. */
export type RefusalOf<UseCase> = UseCase extends (
  ...args: never[]
) => TaskEither<infer Refused extends { _tag: string }, unknown>
  ? Refused
  : never

type Requested = Exclude<keyof UseCases, 'operator'>

/**
 * Every way in which the use cases behind HTTP refuse or fail, read from their signatures: a tag that is added
 * there without a row in the table does not compile.
 */
export type UseCaseRefusal = { [Name in Requested]: RefusalOf<UseCases[Name]> }[Requested]
