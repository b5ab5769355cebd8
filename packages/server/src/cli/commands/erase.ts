import type { Removed } from '@account-import/core'
import type { Command } from 'commander'
import { accountCommandOf } from '../account-command-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { operate } from '../operate.js'

const about = `Remove what an account tells of persons: staged data, details, notes, statements, payment instructions, texts of
transactions, its e-mail, sent or not, and answers that are kept. What money and the register need stays: numbers, dates, amounts,
codes, hashes and counts. An account that was not created yet is marked to be skipped, so that nothing stages it again.`

const words = (number: string, removed: Removed): string => {
  const { payloads, rows, transactions, emails, answers } = removed
  if (Object.values(removed).every((count) => count === 0)) return `Nothing was left to erase of ${number}.`
  return (
    `Account ${number} was erased: staged data ${payloads}, rows ${rows}, texts of transactions ${transactions}, ` +
    `e-mails ${emails}, kept answers ${answers}.`
  )
}

/** `erase SUPPLIER EXTERNAL_NUMBER` */
export const eraseCommand = (context: CliContext): Command =>
  accountCommandOf('erase', about)
    .summary('Remove what an account tells of persons; keep what money and the register need.')
    .action((importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.eraseSubject({ importSupplier, externalAccountNumber }),
        (removed) => ({
          json: {
            import_supplier: importSupplier,
            external_account_number: externalAccountNumber,
            removed: {
              staged_data: removed.payloads,
              rows: removed.rows,
              transaction_texts: removed.transactions,
              emails: removed.emails,
              kept_answers: removed.answers,
            },
          },
          message: words(externalAccountNumber, removed),
        }),
      ),
    )
