import type { Actor } from '../domain/audit-entry.js'
import { E, type Either } from '../fp.js'
import type { WithValidator } from '../checking/check-payload.js'
import type { Ports } from '../ports/index.js'
import { isPortFailure, type PortFailure } from '../ports/port-failure.js'
import type { AuditUseCases } from '../operating/audit.js'
import type { EmailUseCases } from '../operating/emails.js'
import { makeUseCases, type UseCases } from './use-cases.js'
import type { OperatorUseCases } from '../operating/commands.js'
import { foundIn, isPages } from '../lists/pages.js'

/** The answer of the service. The `_tag` of a refusal is its reason; `PortFailure` is one of them. */
export type ServiceResult<Refusal, Value> =
  | Readonly<{ ok: true; value: Value }>
  | Readonly<{ ok: false; refusal: Refusal }>

/** The item type of an iteration: the items of a page that is a list; any other page unchanged. */
export type ServiceItem<Page> =
  // In brackets, so that TypeScript does not distribute the condition over the sides of an Either.
  [Page] extends [Either<PortFailure, infer Found>]
    ? ServiceItem<Found>
    : Page extends readonly (infer Item)[]
      ? Item
      : Page

/** Use cases with a `ServiceResult` in place of an `Either`, and iterations of items in place of iterations of pages. */
export type ServicePart<Part> = Part extends (
  ...given: infer Given
) => Promise<Either<infer Refusal, infer Value>>
  ? (
      ...given: Given
    ) => Promise<
      ServiceResult<
        Refusal,
        Value extends AsyncIterable<infer Page> ? AsyncIterable<ServiceItem<Page>> : Value
      >
    >
  : Part extends object
    ? { readonly [Name in keyof Part]: ServicePart<Part[Name]> }
    : Part

/** The operator's part of the service. */
export interface OperatorService extends ServicePart<OperatorUseCases> {}

/** The part for the audit trail. */
export interface AuditService extends ServicePart<Omit<AuditUseCases, 'recorded'>> {
  /** As `AuditUseCases.recorded`. */
  readonly recorded: <R extends Readonly<{ _tag: string }>, A>(
    name: string,
    work: () => Promise<ServiceResult<R, A>>,
  ) => Promise<ServiceResult<R | PortFailure, A>>
}

/** The part for relays of e-mails. */
export interface EmailService extends ServicePart<EmailUseCases> {}

/** The whole service. Its parts are interfaces so that compiler messages are short. */
export interface ImportService extends ServicePart<Omit<UseCases, 'audit' | 'emails' | 'operator'>> {
  readonly audit: AuditService
  readonly emails: EmailService
  readonly operator: OperatorService
  /** The same service for adapters and background work: `createApp(service.useCases)`, `startBackgroundWork(service.useCases)`. */
  readonly useCases: UseCases
}

/** The content of a page, which may be an `Either`. Throws its failure. */
const contentOf = (page: unknown): unknown => {
  const { _tag } = page as Readonly<{ _tag?: unknown }>
  return _tag === 'Left' || _tag === 'Right' ? foundIn(page as Either<PortFailure, unknown>) : page
}

/** The failure of a port as an `Error`; its text names only the port and the operation. */
const errorOf = (cause: unknown): unknown =>
  isPortFailure(cause) ? new Error(`${cause.port}.${cause.operation} failed`, { cause }) : cause

/** The items of pages that are lists; any other page unchanged. Throws a failed page as an `Error`. */
async function* itemsOf(pages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    for await (const page of pages) {
      const found = contentOf(page)
      if (Array.isArray(found)) yield* found
      else yield found
    }
  } catch (cause) {
    throw errorOf(cause)
  }
}

const resultOf = <Refusal>(answer: Either<Refusal, unknown>): ServiceResult<Refusal, unknown> => {
  if (E.isLeft(answer)) return { ok: false, refusal: answer.left }
  return { ok: true, value: isPages(answer.right) ? itemsOf(answer.right) : answer.right }
}

type UseCase = (...given: readonly unknown[]) => Promise<Either<unknown, unknown>>

const partOf = (part: object): object =>
  typeof part === 'function'
    ? async (...given: readonly unknown[]) => resultOf(await (part as UseCase)(...given))
    : Object.fromEntries(
        Object.entries(part).map(([name, inner]: [string, unknown]) => [
          name,
          typeof inner === 'function' || typeof inner === 'object' ? partOf(inner as object) : inner,
        ]),
      )

/**
 * The service, on the given ports: plain functions that answer a promise of `{ ok: true, value }` or `{ ok: false, refusal }`.
 * `operator`: the actor of audit events of the operator's part.
 *
 * - A refusal and a failing port are results. A promise rejects only if a port that breaks its contract or a function of the
 *   caller throws.
 * - A list is an `AsyncIterable` of items, read page by page on demand, and can be iterated once. If a port fails during the
 *   iteration, it throws an `Error` whose `cause` is the `PortFailure`.
 */
export const createImportService = (ports: Ports & WithValidator, operator?: Actor): ImportService => {
  const useCases = makeUseCases(ports, operator)
  // `ServicePart` describes in types what partOf does.
  const service = partOf(useCases) as Omit<ImportService, 'useCases'>
  const recorded: AuditService['recorded'] = async <R extends Readonly<{ _tag: string }>, A>(
    name: string,
    work: () => Promise<ServiceResult<R, A>>,
  ) => {
    const answer = await useCases.audit.recorded<R, A>(name, async () => {
      const result = await work()
      return result.ok ? E.right(result.value) : E.left(result.refusal)
    })
    return resultOf(answer) as ServiceResult<R | PortFailure, A>
  }
  return { ...service, audit: { ...service.audit, recorded }, useCases }
}
