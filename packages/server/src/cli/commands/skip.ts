import { accountCommand } from '@account-import/cli/kit'
import { operatorCommands } from '../operate.js'

const words = (number: string, skipped: boolean, changed: boolean): string => {
  if (!changed)
    return `Account ${number} ${skipped ? 'is marked to be skipped already' : 'is not marked to be skipped'}.`
  return skipped
    ? `Account ${number} is marked to be skipped: staging and processing it are refused.`
    : `Account ${number} may be staged and processed again.`
}

/** `skip SUPPLIER EXTERNAL_NUMBER [--undo]` */
export const make = operatorCommands(({ command }) =>
  command(
    accountCommand('skip')
      .example('skip LEVANTE LEV-G-000123', 'skip LEVANTE LEV-G-000123 --undo')
      .option('--undo', 'remove the mark'),
    ({ operator }, importSupplier: string, externalAccountNumber: string, { undo }: { undo?: true }) =>
      operator.setSkipped({ importSupplier, externalAccountNumber, skipped: undo !== true }),
    ({ changed }, importSupplier, externalAccountNumber, { undo }) => ({
      json: {
        import_supplier: importSupplier,
        external_account_number: externalAccountNumber,
        skipped: undo !== true,
        changed,
      },
      message: words(externalAccountNumber, undo !== true, changed),
    }),
  ),
)
