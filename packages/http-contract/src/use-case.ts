import type { UseCases } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'

/** What a use case may refuse with. */
export type RefusalOf<UseCase> = UseCase extends (
  ...args: never[]
) => TaskEither<infer Refused extends { _tag: string }, unknown>
  ? Refused
  : never

/** The use cases that an HTTP request asks for. */
export type Requested = Exclude<keyof UseCases, 'operator' | 'emails'>

/**
 * Every way in which the use cases behind HTTP refuse or fail, read from their signatures: a tag that is added
 * there without a row in the table does not compile.
 */
export type UseCaseRefusal = RefusalOf<UseCases[Requested]>

type TagOf<Name extends Requested> = RefusalOf<UseCases[Name]>['_tag']

/** The tags that the named use cases refuse with, as a value: each has to be named, and no other can be. */
export const refusalsOf = <Name extends Requested>(
  tags: Readonly<Record<TagOf<Name>, true>>,
): readonly TagOf<Name>[] => Object.keys(tags) as TagOf<Name>[]

/** What the named use case does when it does not refuse. */
export type Done<Name extends Requested> = UseCases[Name] extends (
  ...args: never[]
) => TaskEither<unknown, infer Success>
  ? Success
  : never
