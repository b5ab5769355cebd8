import { Command } from 'commander'
import { accountCommandOf } from '../account-command-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { operate } from '../operate.js'
import { accountJson } from '../output/account-json.js'
import { accountText } from '../output/account-text.js'

const show = (context: CliContext): Command =>
  accountCommandOf('show', 'Show a created account as it is stored, with all that belongs to it.').action(
    (importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
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
