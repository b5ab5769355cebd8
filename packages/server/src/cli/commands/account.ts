import { Command } from 'commander'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { accountJson } from '../output/account-json.js'
import { accountText } from '../output/account-text.js'

const show = (context: CliContext): Command =>
  leafCommand('show', 'Show a created account as it is stored, with all that belongs to it.')
    .argument('<supplier>', 'import supplier code')
    .argument('<external-number>', "the supplier's own account number")
    .action((importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.showAccount({ importSupplier, externalAccountNumber }),
        (account) => ({ json: accountJson(account), result: accountText(account) }),
      ),
    )

/** `account show SUPPLIER EXTERNAL_NUMBER` */
export const accountCommand = (context: CliContext): Command =>
  new Command('account').description('Accounts that were created.').addCommand(show(context))
