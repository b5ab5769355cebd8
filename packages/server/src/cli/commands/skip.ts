import type { Command } from 'commander'
import { accountCommand, type CliContext } from '../command.js'
import { operate } from '../operate.js'

const words = (number: string, skipped: boolean, changed: boolean): string => {
  if (!changed)
    return `Account ${number} ${skipped ? 'is marked to be skipped already' : 'is not marked to be skipped'}.`
  return skipped
    ? `Account ${number} is marked to be skipped: staging and processing it are refused.`
    : `Account ${number} may be staged and processed again.`
}

/** `skip SUPPLIER EXTERNAL_NUMBER [--undo]` */
export const make = (context: CliContext): Command =>
  accountCommand('skip')
    .option('--undo', 'remove the mark')
    .action(async (importSupplier: string, externalAccountNumber: string, options: { undo?: true }) => {
      const skipped = options.undo !== true
      await operate(
        context,
        (operator) => operator.setSkipped({ importSupplier, externalAccountNumber, skipped }),
        ({ changed }) => ({
          json: {
            import_supplier: importSupplier,
            external_account_number: externalAccountNumber,
            skipped,
            changed,
          },
          message: words(externalAccountNumber, skipped, changed),
        }),
      )
    })
