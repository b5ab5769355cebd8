import type { Codec } from '../codec/index.js'
import type { UndoableAccount, UndoOutcome, UndoRefusal } from '../domain/account-import.js'
import { unnamedActor } from '../domain/audit-entry.js'
import { E, pipe, type TaskEither, TE } from '../fp.js'
import { type UndoPreviewRequest, undoPreviewRequest, undoRequest } from '../payloads/requests.js'
import type { UndoRequest } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import { type Instant, instantOf, millisecondsOf, plusSeconds } from '../values/instant.js'
import { checkNamedRequest, type Submission } from './check-payload.js'
import type { RequestFailedValidation, UseCaseResult } from './errors.js'

/** The supplier is complete: its accounts cannot be undone. */
export type SupplierComplete = Readonly<{ _tag: 'SupplierComplete' }>

/** The confirmation code is malformed or older than 15 minutes, or its accounts changed since the preview. */
export type UndoNotConfirmed = Readonly<{ _tag: 'UndoNotConfirmed' }>

/** The refusals of requests to undo accounts. */
export type UndoRefused = RequestFailedValidation | SupplierComplete

/** Accounts that can be, or were, undone, and those that are kept; both in the order of the request, each number once. */
export type UndoneAccounts = Readonly<{
  accounts: readonly (UndoableAccount & Readonly<{ externalAccountNumber: string }>)[]
  kept: readonly Readonly<{ externalAccountNumber: string; reason: UndoRefusal }>[]
}>

export type UndoPreview = UndoneAccounts &
  Readonly<{
    /** Confirms exactly this preview. */
    confirmationCode: string
    expiresAt: Instant
  }>

type UndoPorts = Pick<Ports, 'accountUndo' | 'clock' | 'importSuppliers' | 'secrets' | 'settings'>

/** The time for which a preview can be confirmed. */
const confirmableSeconds = 15 * 60

/** Accounts in one call of the store. */
const pageSize = 500

const undoable = (outcomes: readonly UndoOutcome[]): readonly (UndoableAccount | undefined)[] =>
  outcomes.map((outcome) => (outcome._tag === 'undoable' ? outcome : undefined))

/** A request whose supplier exists and is not complete. */
type Checked<Request> = Readonly<{
  request: Request
  numbers: readonly string[]
  pages: readonly UndoRequest[]
}>

const checked =
  (ports: UndoPorts) =>
  <Request extends UndoPreviewRequest>(
    codec: Codec<Request>,
    submission: Submission,
  ): UseCaseResult<UndoRefused, Checked<Request>> =>
    pipe(
      checkNamedRequest(ports, codec)(submission),
      TE.flatMap(({ request, supplier }): TaskEither<UndoRefused, Checked<Request>> => {
        if (supplier.status === 'complete') return TE.left({ _tag: 'SupplierComplete' })
        const numbers = [...new Set(request.external_account_numbers)]
        const shared = {
          organisation: submission.organisation,
          importSupplier: request.import_supplier_code,
          withAdditions: request.with_additions ?? false,
          at: ports.clock.now(),
        }
        const pages = Array.from({ length: Math.ceil(numbers.length / pageSize) }, (_, page) => ({
          ...shared,
          externalAccountNumbers: numbers.slice(page * pageSize, (page + 1) * pageSize),
        }))
        return TE.right({ request, numbers, pages })
      }),
    )

/** Calls `ask` for one page after the other; the first Left ends it. */
const eachPage =
  <Refused>(
    pages: readonly UndoRequest[],
    ask: (page: UndoRequest, from: number) => UseCaseResult<Refused, readonly UndoOutcome[]>,
  ) =>
  async (): Promise<E.Either<Refused | PortFailure, readonly UndoOutcome[]>> => {
    const outcomes: UndoOutcome[] = []
    for (const page of pages) {
      const found = await ask(page, outcomes.length)()
      if (E.isLeft(found)) return found
      outcomes.push(...found.right)
    }
    return E.right(outcomes)
  }

const withNumbers = (numbers: readonly string[], outcomes: readonly UndoOutcome[]): UndoneAccounts => {
  const named = outcomes.map((outcome, index) => ({
    externalAccountNumber: numbers[index] as string,
    outcome,
  }))
  return {
    accounts: named.flatMap(({ externalAccountNumber, outcome }) =>
      outcome._tag === 'undoable'
        ? [
            {
              externalAccountNumber,
              platformAccountNumber: outcome.platformAccountNumber,
              additions: outcome.additions,
            },
          ]
        : [],
    ),
    kept: named.flatMap(({ externalAccountNumber, outcome }) =>
      outcome._tag === 'kept' ? [{ externalAccountNumber, reason: outcome.reason }] : [],
    ),
  }
}

/**
 * The code of a preview: its end, and a hash of all that it shows. It guards against mistakes, and is no secret: the scope of the
 * API key permits to undo accounts.
 */
const codeOf = (
  ports: UndoPorts,
  { pages, numbers }: Checked<unknown>,
  outcomes: readonly UndoOutcome[],
  expiresAt: Instant,
): PortResult<string> => {
  const { organisation, importSupplier, withAdditions } = pages[0] ?? {}
  const { accounts, kept } = withNumbers(numbers, outcomes)
  const shown = JSON.stringify([organisation, importSupplier, withAdditions, expiresAt, accounts, kept])
  return pipe(
    hashOf(ports, shown),
    TE.map((hash) => `${millisecondsOf(expiresAt).toString(36)}-${hash.slice(0, 32)}`),
  )
}

/** The end of the preview of a code; undefined for a text that is no code. */
const endOf = (code: string): Instant | undefined => {
  const [, end] = /^([0-9a-z]{8})-[0-9a-f]{32}$/.exec(code) ?? []
  return end === undefined ? undefined : instantOf(Number.parseInt(end, 36))
}

const preview = (ports: UndoPorts, { pages }: Checked<unknown>) =>
  eachPage<never>(pages, (page) => ports.accountUndo.canUndo(page))

/** Checked for each page, as the operator may set the supplier complete in between. */
const unlessComplete = (
  { importSuppliers }: UndoPorts,
  { organisation, importSupplier }: UndoRequest,
): UseCaseResult<SupplierComplete, void> =>
  pipe(
    importSuppliers.find(organisation, importSupplier),
    TE.flatMap((found): TaskEither<SupplierComplete, void> =>
      found?.status === 'complete' ? TE.left({ _tag: 'SupplierComplete' }) : TE.right(undefined),
    ),
  )

/** Lists the accounts that can be undone, and those that are kept and why; changes nothing. */
const previewUndo =
  (ports: UndoPorts) =>
  (submission: Submission): UseCaseResult<UndoRefused, UndoPreview> =>
    pipe(
      checked(ports)(undoPreviewRequest, submission),
      TE.bindTo('asked'),
      TE.bindW('outcomes', ({ asked }) => preview(ports, asked)),
      TE.let('expiresAt', () => plusSeconds(ports.clock.now(), confirmableSeconds)),
      TE.bindW('confirmationCode', ({ asked, outcomes, expiresAt }) =>
        codeOf(ports, asked, outcomes, expiresAt),
      ),
      TE.map(({ asked, outcomes, expiresAt, confirmationCode }) => ({
        ...withNumbers(asked.numbers, outcomes),
        confirmationCode,
        expiresAt,
      })),
    )

/**
 * Undoes the accounts of a preview, if nothing changed since. After a failure some of the accounts may be undone, each
 * completely: a new preview lists the others.
 */
const undoAccounts =
  (ports: UndoPorts) =>
  (submission: Submission): UseCaseResult<UndoRefused | UndoNotConfirmed, UndoneAccounts> =>
    pipe(
      checked(ports)(undoRequest, submission),
      TE.bindTo('asked'),
      TE.bindW('previewed', ({ asked }) => preview(ports, asked)),
      TE.tap(({ asked, previewed }): UseCaseResult<UndoNotConfirmed, void> => {
        const code = asked.request.confirmation_code
        const expiresAt = endOf(code)
        const notConfirmed: UndoNotConfirmed = { _tag: 'UndoNotConfirmed' }
        const now = ports.clock.now()
        if (expiresAt === undefined || expiresAt < now || expiresAt > plusSeconds(now, confirmableSeconds))
          return TE.left(notConfirmed)
        return pipe(
          codeOf(ports, asked, previewed, expiresAt),
          TE.flatMap((expected) =>
            expected === code ? TE.right(undefined) : TE.left<UndoNotConfirmed | PortFailure>(notConfirmed),
          ),
        )
      }),
      TE.flatMap(({ asked, previewed }) => {
        const by = submission.by ?? unnamedActor
        const all = undoable(previewed)
        return pipe(
          eachPage<SupplierComplete>(asked.pages, (page, from) =>
            pipe(
              unlessComplete(ports, page),
              TE.flatMap(() =>
                ports.accountUndo.undo({
                  ...page,
                  by,
                  previewed: all.slice(from, from + page.externalAccountNumbers.length),
                }),
              ),
            ),
          ),
          TE.map((outcomes) => withNumbers(asked.numbers, outcomes)),
        )
      }),
    )

export const undoUseCases = (ports: UndoPorts) => ({
  previewUndo: previewUndo(ports),
  undoAccounts: undoAccounts(ports),
})
