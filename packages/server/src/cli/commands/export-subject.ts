import type { AccountImport, HeldAnswer, HeldData, RunFailure } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { withoutReturns } from '../../printable.js'
import { accountCommand } from '../command.js'
import { operatorCommands } from '../operate.js'
import { latestErrorJson, timeJson } from '../output.js'
import { accountJson } from './account.js'
import { emailJson } from './outbox.js'

const importJson = (accountImport: AccountImport, held: HeldData) => ({
  staged_version: accountImport.stagedVersion,
  first_staged_at: timeJson(held.firstStagedAt),
  staged_at: timeJson(held.stagedAt),
  staged_data_sha256: held.payloadHash ?? null,
  staged_data_removed_at: timeJson(held.payloadRemovedAt),
  erased_at: timeJson(held.erasedAt),
  skipped: accountImport.skipped,
  attempts: accountImport.attempts,
  latest_error: latestErrorJson(accountImport.latestFailure),
})

const failureJson = ({ step, line, code, findings, failedAt }: RunFailure) => ({
  step,
  line: line ?? null,
  code,
  errors: findings.map((finding) => ({ code: finding.code, attr: finding.attr })),
  failed_at: toWireDatetime(failedAt),
})

/** An object whose last member is JSON that is written out: numbers in it stay as they were sent. */
const ending = (head: object, name: string, json: string): string =>
  `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:${json}}`

const answerText = ({ status, headers, body, expiresAt }: HeldAnswer): string =>
  ending(
    { status, headers, expires_at: toWireDatetime(expiresAt) },
    'body',
    body === '' ? 'null' : withoutReturns(body),
  )

/** All that is held of an account, as one JSON document; the staged data and kept answers to the letter. */
const subjectDocument = (held: HeldData): string => {
  const { key, accountImport } = held
  const head = {
    organisation: key.organisation,
    import_supplier: key.importSupplier,
    external_account_number: key.externalAccountNumber,
    platform_account_number: accountImport?.created?.platformAccountNumber ?? null,
    import: accountImport === undefined ? null : importJson(accountImport, held),
    account: held.account === undefined ? null : accountJson(held.account),
    email: held.email === undefined ? null : emailJson(held.email),
    import_run_failures: held.runFailures.map(failureJson),
  }
  const withAnswers = ending(head, 'idempotency_records', `[${held.answers.map(answerText).join(',')}]`)
  return `${withAnswers.slice(0, -1)},"staged_data":${withoutReturns(held.payload ?? 'null')}}`
}

/** `export-subject SUPPLIER EXTERNAL_NUMBER` */
export const make = operatorCommands((command) =>
  command(
    accountCommand('export-subject', 'Print all data of an account, as one JSON document.'),
    ({ operator }, importSupplier: string, externalAccountNumber: string) =>
      operator.exportSubject({ importSupplier, externalAccountNumber }),
    (held) => ({ json: undefined, result: '', document: subjectDocument(held) }),
  ),
)
