import type { UndoneAccounts } from '@account-import/core'
import { undoRefusals } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { answered, endpoint, submission } from '../endpoint.js'

const undoneAccount = t.type(
  { external_account_number: t.string, platform_account_number: t.string, additions: t.number },
  'UndoneAccount',
)

const reason = t.keyof(
  Object.fromEntries(undoRefusals.map((each) => [each, null])) as Record<(typeof undoRefusals)[number], null>,
)

const keptAccount = t.type({ external_account_number: t.string, reason }, 'KeptAccount')

/** Both lists in the order of the request, each number once. */
const undoneAccounts = t.type(
  { accounts: t.readonlyArray(undoneAccount), kept: t.readonlyArray(keptAccount) },
  'UndoneAccounts',
)
export type UndoneAccountsBody = t.TypeOf<typeof undoneAccounts>

const undoPreview = t.intersection(
  [undoneAccounts, t.type({ confirmation_code: t.string, expires_at: t.string })],
  'UndoPreview',
)
export type UndoPreviewBody = t.TypeOf<typeof undoPreview>

const bodyOf = ({ accounts, kept }: UndoneAccounts): UndoneAccountsBody => ({
  accounts: accounts.map(({ externalAccountNumber, platformAccountNumber, additions }) => ({
    external_account_number: externalAccountNumber,
    platform_account_number: platformAccountNumber,
    additions,
  })),
  kept: kept.map(({ externalAccountNumber, reason: why }) => ({
    external_account_number: externalAccountNumber,
    reason: why,
  })),
})

const refusals = { RequestFailedValidation: true, SupplierComplete: true, PortFailure: true } as const

const previewUndo = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-undo/preview/',
  scope: 'undo',
  summary: 'Says which created accounts can be taken back, and which are kept and why; changes nothing.',
  body: 'undoPreviewRequest',
  statuses: [200],
  success: undoPreview,
  refusals,
  changesNothing: () => true,
  call: (useCases, request) =>
    answered(useCases.previewUndo(submission(request)), ({ confirmationCode, expiresAt, ...found }) => ({
      status: 200,
      headers: {},
      body: { ...bodyOf(found), confirmation_code: confirmationCode, expires_at: expiresAt },
    })),
})

const undoAccounts = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-undo/',
  scope: 'undo',
  summary: 'Takes created accounts back, as a preview of the last 15 minutes showed them.',
  body: 'undoRequest',
  statuses: [200],
  success: undoneAccounts,
  refusals: { ...refusals, UndoNotConfirmed: true },
  call: (useCases, request) =>
    answered(useCases.undoAccounts(submission(request)), (undone) => ({
      status: 200,
      headers: {},
      body: bodyOf(undone),
    })),
})

export const undoEndpoints = { previewUndo, undoAccounts } as const
