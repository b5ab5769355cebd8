import { type EmailList, emailLists } from '@account-import/core'
import { Command } from 'commander'
import { typed } from '../../program-name.js'
import { oneOf } from '../arguments/arguments.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { emailShown } from '../output/email-shown.js'
import { streamPages } from '../stream-pages.js'

type ListOptions = JsonOption & Readonly<{ state?: EmailList; supplier?: string }>

const list = (context: CliContext): Command =>
  leafCommand('list', 'Show e-mails to customers, supplier by supplier.')
    .option('--state <state>', 'only those: waiting (being sent too), parked, sent', oneOf(emailLists))
    .option('--supplier <code>', 'only those of this import supplier')
    .action(({ state, supplier, ...options }: ListOptions) =>
      streamPages(
        context,
        options,
        (operator) => operator.listEmails({ importSupplier: supplier, list: state }),
        { ...emailShown, none: state === undefined && supplier === undefined ? outboxIsEmpty : noSuchEmail },
      ),
    )

const noSuchEmail = 'There is no such e-mail.'

const outboxIsEmpty =
  'There is no e-mail yet. Customers get one for each account that is created, once their supplier wants it:' +
  ` ${typed('supplier configure CODE --migration-emails on')}`

type RetryOptions = JsonOption & Readonly<{ parked?: true; supplier?: string }>

const words = (retried: number): string =>
  retried === 1 ? 'One e-mail is due now.' : `${retried} e-mails are due now.`

const retry = (context: CliContext): Command => {
  const command = leafCommand('retry', 'Send e-mails now that are parked, or wait for another try.')
    .argument('[id]', 'one e-mail, by the id that the list shows')
    .option('--parked', 'all that are parked')
    .option('--supplier <code>', 'with --parked: only those of this import supplier')
  return command.action(async (id: string | undefined, { parked, supplier, ...options }: RetryOptions) => {
    if ((id === undefined) === (parked === undefined) || (id !== undefined && supplier !== undefined))
      command.error('error: name either one id, or --parked with or without --supplier')
    await operate(
      context,
      options,
      (operator) =>
        id === undefined ? operator.retryParkedEmails({ importSupplier: supplier }) : operator.retryEmail(id),
      ({ retried }) => ({ json: { retried }, message: words(retried) }),
    )
  })
}

/** `outbox list | retry` */
export const outboxCommand = (context: CliContext): Command =>
  new Command('outbox')
    .description('E-mails that tell customers that their account was migrated.')
    .addCommand(list(context))
    .addCommand(retry(context))
