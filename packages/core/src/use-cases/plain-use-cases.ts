import type { Either, TaskEither } from '../fp.js'
import { isPortFailure, type PortFailure } from '../ports/port-failure.js'
import type { AuditUseCases } from './audit.js'
import type { EmailUseCases } from './emails.js'
import type { UseCases } from './index.js'
import type { OperatorUseCases } from './operator/index.js'
import { isPages } from './pages.js'

const tagOf = (value: unknown): unknown => (value as Readonly<{ _tag?: unknown }> | null | undefined)?._tag

const isEither = (value: unknown): value is Either<unknown, unknown> =>
  tagOf(value) === 'Left' || tagOf(value) === 'Right'

const foundIn = (page: unknown): unknown => {
  if (!isEither(page)) return page
  if (page._tag === 'Left') throw page.left
  return page.right
}

/** The failure of a port as an `Error`; its text names only the port and the operation. */
const errorOf = (cause: unknown): unknown =>
  isPortFailure(cause) ? new Error(`${cause.port}.${cause.operation} failed`, { cause }) : cause

/** The items of pages that are lists; any other page unchanged. Throws a failed page as an `Error`. */
async function* itemsOf(pages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    for await (const page of pages) {
      const found = foundIn(page)
      if (Array.isArray(found)) yield* found
      else yield found
    }
  } catch (cause) {
    throw errorOf(cause)
  }
}

/** The answer of a plain use case. The `_tag` of a refusal is its reason; `PortFailure` is one of them. */
export type PlainResult<Refusal, Value> =
  | Readonly<{ ok: true; value: Value }>
  | Readonly<{ ok: false; refusal: Refusal }>

/** The item type of a plain iteration: the items of a page that is a list; any other page unchanged. */
export type PlainItem<Page> =
  // In brackets, so that TypeScript does not distribute the condition over the sides of an Either.
  [Page] extends [Either<PortFailure, infer Found>]
    ? PlainItem<Found>
    : Page extends readonly (infer Item)[]
      ? Item
      : Page

/**
 * The same functions by the same names, each with a promise of a result in place of a `TaskEither`. Iterations of pages become
 * iterations of items.
 */
export type Plain<Part> = Part extends (...given: infer Given) => TaskEither<infer Refusal, infer Value>
  ? (
      ...given: Given
    ) => Promise<
      PlainResult<Refusal, Value extends AsyncIterable<infer Page> ? AsyncIterable<PlainItem<Page>> : Value>
    >
  : Part extends object
    ? { readonly [Name in keyof Part]: Plain<Part[Name]> }
    : Part

/** `OperatorUseCases` as plain functions. */
export interface PlainOperator extends Plain<OperatorUseCases> {}
/** `AuditUseCases` as plain functions. */
export interface PlainAudit extends Plain<AuditUseCases> {}
/** `EmailUseCases` as plain functions. */
export interface PlainEmails extends Plain<EmailUseCases> {}

/** `UseCases` as plain functions. They are interfaces so that compiler messages are short. */
export interface PlainUseCases extends Plain<Omit<UseCases, 'audit' | 'emails' | 'operator'>> {
  readonly audit: PlainAudit
  readonly emails: PlainEmails
  readonly operator: PlainOperator
}

type UseCase = (...given: readonly unknown[]) => TaskEither<unknown, unknown>

const isUseCase = (part: object): part is UseCase => typeof part === 'function'

const plainUseCase =
  (useCase: UseCase) =>
  async (...given: readonly unknown[]): Promise<PlainResult<unknown, unknown>> => {
    const answer = await useCase(...given)()
    if (answer._tag === 'Left') return { ok: false, refusal: answer.left }
    return { ok: true, value: isPages(answer.right) ? itemsOf(answer.right) : answer.right }
  }

const plainPart = (part: object): unknown =>
  isUseCase(part)
    ? plainUseCase(part)
    : Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plainPart(inner as object)]))

/**
 * The use cases for code without fp-ts: plain functions, each of which starts at once and answers a promise of
 * `{ ok: true, value }` or `{ ok: false, refusal }`. Awaiting that promise again returns the same result, and the use case
 * runs once.
 *
 * - A refusal and a failing port are results. A promise rejects only if a port that breaks its contract or a function of the
 *   caller throws.
 * - A list is an `AsyncIterable` of items, read page by page on demand, and can be iterated once. If a port fails during the
 *   iteration, it throws an `Error` whose `cause` is the `PortFailure`.
 */
export const plainUseCases = (useCases: UseCases): PlainUseCases =>
  // `Plain` describes in types what plainPart does.
  plainPart(useCases) as PlainUseCases
