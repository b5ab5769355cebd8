import type { Erased, Removed } from '@account-import/core'
import { accountCommand, type CommandOutput, exitCode } from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

const about = `Remove the personal data of an account: staged data, details, notes, statements, payment instructions, texts of
transactions, its e-mail, sent or not, its idempotency records, and failures of import runs. Numbers, dates, amounts, codes, hashes and counts stay. An
account that was not created yet is marked to be skipped, so that nothing stages it again. Without --yes the command only counts
the data, changes nothing, and exits with 2.`

const countsText = ({ payloads, rows, transactions, emails, answers, runFailures }: Removed): string =>
  `staged data ${payloads}, rows ${rows}, texts of transactions ${transactions}, ` +
  `e-mails ${emails}, idempotency records ${answers}, failures of import runs ${runFailures}`

const countsJson = ({ payloads, rows, transactions, emails, answers, runFailures }: Removed) => ({
  staged_data: payloads,
  rows,
  transaction_texts: transactions,
  emails,
  idempotency_records: answers,
  import_run_failures: runFailures,
})

const confirmation =
  'Nothing was changed. This cannot be undone: to erase the account, run the same command with --yes.'

const logText =
  '\nIts data is still in the log beside the database file, as other processes read it. Run the same command again when they have ended.'

const erasedOutput = (number: string, named: object, { removed, logRemains }: Erased): CommandOutput => {
  const message = Object.values(removed).every((count) => count === 0)
    ? `There is no data to erase of ${number}.`
    : `Account ${number} was erased: ${countsText(removed)}.`
  return {
    json: { ...named, removed: countsJson(removed), log_remains: logRemains ?? false },
    message: logRemains === true ? message + logText : message,
  }
}

const previewOutput = (number: string, named: object, { removed }: Erased): CommandOutput => ({
  json: {
    ...named,
    would_remove: countsJson(removed),
    error: { code: 'confirmation_needed', detail: confirmation },
  },
  message: `Erasing account ${number} would remove: ${countsText(removed)}.\n${confirmation}`,
  exitCode: exitCode.refused,
})

/** `erase SUPPLIER EXTERNAL_NUMBER [--yes]` */
export const make = operatorCommands(({ command }) =>
  command(
    accountCommand('erase', about)
      .example('erase LEVANTE LEV-G-000123', 'erase LEVANTE LEV-G-000123 --yes')
      .option('--yes', 'erase it; without this option the command only counts what it would remove'),
    ({ operator }, importSupplier: string, externalAccountNumber: string, { yes }: { yes?: true }) => {
      const useCase = yes === true ? operator.eraseSubject : operator.previewErasure
      return useCase({ importSupplier, externalAccountNumber })
    },
    (erased, importSupplier, number, { yes }) => {
      const named = { import_supplier: importSupplier, external_account_number: number }
      return (yes === true ? erasedOutput : previewOutput)(number, named, erased)
    },
  ),
)
