import type { Codec } from '../codec/index.js'
import type { UndoableAccount, UndoOutcome, UndoRefusal } from '../domain/account-import.js'
import { unnamedActor } from '../domain/audit-entry.js'
import { E, pipe } from '../fp.js'
import {
  type UndoAccountsRequest,
  type UndoPreviewRequest,
  undoPreviewRequest,
  undoRequest,
} from '../payloads/requests.js'
import type { UndoRequest } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import { hashOf } from '../ports/secrets.js'
import { type Instant, instantOf, millisecondsOf, plusSeconds } from '../values/instant.js'
import { checkNamedRequest, type Submission } from '../checking/check-payload.js'
import type { RequestFailedValidation, UseCaseResult } from '../checking/errors.js'
import { eachInTurn } from '../lists/lists.js'

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
  async <Request extends UndoPreviewRequest>(
    codec: Codec<Request>,
    submission: Submission,
  ): UseCaseResult<UndoRefused, Checked<Request>> => {
    const named = await checkNamedRequest(ports, codec)(submission)
    if (E.isLeft(named)) return named
    const { request, supplier } = named.right
    if (supplier.status === 'complete') return E.left({ _tag: 'SupplierComplete' })
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
    return E.right({ request, numbers, pages })
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
const codeOf = async (
  ports: UndoPorts,
  { pages, numbers }: Checked<unknown>,
  outcomes: readonly UndoOutcome[],
  expiresAt: Instant,
): PortResult<string> => {
  const { organisation, importSupplier, withAdditions } = pages[0] ?? {}
  const { accounts, kept } = withNumbers(numbers, outcomes)
  const shown = JSON.stringify([organisation, importSupplier, withAdditions, expiresAt, accounts, kept])
  return pipe(
    await hashOf(ports, shown),
    E.map((hash) => `${millisecondsOf(expiresAt).toString(36)}-${hash.slice(0, 32)}`),
  )
}

/** The end of the preview of a code; undefined for a text that is no code. */
const endOf = (code: string): Instant | undefined => {
  const [, end] = /^([0-9a-z]{8})-[0-9a-f]{32}$/.exec(code) ?? []
  return end === undefined ? undefined : instantOf(Number.parseInt(end, 36))
}

const preview = async (
  ports: UndoPorts,
  { pages }: Checked<unknown>,
): UseCaseResult<never, readonly UndoOutcome[]> =>
  pipe(
    await eachInTurn(pages, (page) => ports.accountUndo.canUndo(page)),
    E.map((found) => found.flat()),
  )

/** Lists the accounts that can be undone, and those that are kept and why; changes nothing. */
const previewUndo =
  (ports: UndoPorts) =>
  async (submission: Submission): UseCaseResult<UndoRefused, UndoPreview> => {
    const asked = await checked(ports)(undoPreviewRequest, submission)
    if (E.isLeft(asked)) return asked
    const outcomes = await preview(ports, asked.right)
    if (E.isLeft(outcomes)) return outcomes
    const expiresAt = plusSeconds(ports.clock.now(), confirmableSeconds)
    return pipe(
      await codeOf(ports, asked.right, outcomes.right, expiresAt),
      E.map((confirmationCode) => ({
        ...withNumbers(asked.right.numbers, outcomes.right),
        confirmationCode,
        expiresAt,
      })),
    )
  }

/** Whether the code of the request is that of the present preview, and not too old. */
const isConfirmed = async (
  ports: UndoPorts,
  asked: Checked<UndoAccountsRequest>,
  previewed: readonly UndoOutcome[],
): PortResult<boolean> => {
  const code = asked.request.confirmation_code
  const expiresAt = endOf(code)
  const now = ports.clock.now()
  if (expiresAt === undefined || expiresAt < now || expiresAt > plusSeconds(now, confirmableSeconds))
    return E.right(false)
  return pipe(
    await codeOf(ports, asked, previewed, expiresAt),
    E.map((expected) => expected === code),
  )
}

/** Undoes one page, unless the operator has set the supplier complete since. */
const undoPage = async (
  { accountUndo, importSuppliers }: UndoPorts,
  page: Parameters<Ports['accountUndo']['undo']>[0],
): UseCaseResult<SupplierComplete, readonly UndoOutcome[]> => {
  const supplier = await importSuppliers.find(page.organisation, page.importSupplier)
  if (E.isLeft(supplier)) return supplier
  return supplier.right?.status === 'complete' ? E.left({ _tag: 'SupplierComplete' }) : accountUndo.undo(page)
}

/**
 * Undoes the accounts of a preview, if nothing changed since. After a failure some of the accounts may be undone, each
 * completely: a new preview lists the others.
 */
const undoAccounts =
  (ports: UndoPorts) =>
  async (submission: Submission): UseCaseResult<UndoRefused | UndoNotConfirmed, UndoneAccounts> => {
    const asked = await checked(ports)(undoRequest, submission)
    if (E.isLeft(asked)) return asked
    const { numbers, pages } = asked.right
    const previewed = await preview(ports, asked.right)
    if (E.isLeft(previewed)) return previewed
    const confirmed = await isConfirmed(ports, asked.right, previewed.right)
    if (E.isLeft(confirmed)) return confirmed
    if (!confirmed.right) return E.left({ _tag: 'UndoNotConfirmed' })
    const by = submission.by ?? unnamedActor
    const all = undoable(previewed.right)
    const undone = await eachInTurn(pages.entries(), ([index, page]) =>
      undoPage(ports, { ...page, by, previewed: all.slice(index * pageSize, (index + 1) * pageSize) }),
    )
    return pipe(
      undone,
      E.map((outcomes) => withNumbers(numbers, outcomes.flat())),
    )
  }

export const undoUseCases = (ports: UndoPorts) => ({
  previewUndo: previewUndo(ports),
  undoAccounts: undoAccounts(ports),
})
