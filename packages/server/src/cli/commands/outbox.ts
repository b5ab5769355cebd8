import { type CustomerEmail, type EmailList, emailLists } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { columns, latestErrorJson, leafCommand, oneOf, typed } from '@account-import/cli/kit'
import { operatorCommands, refusing } from '../operate.js'

/** The time of the next attempt, or of the end. */
const timeOf = ({ state }: CustomerEmail): string => {
  switch (state._tag) {
    case 'waiting':
      return toWireDatetime(state.dueAt)
    case 'sending':
      return toWireDatetime(state.leaseEndsAt)
    default:
      return toWireDatetime(state.at)
  }
}

/** The JSON form of an e-mail for `--json`. */
export const emailJson = (email: CustomerEmail): unknown => {
  const { id, key, platformAccountNumber, language, enqueuedAt, attempts, latestFailure, state } = email
  return {
    id,
    state: state._tag,
    import_supplier: key.importSupplier,
    external_account_number: key.externalAccountNumber,
    platform_account_number: platformAccountNumber,
    language,
    attempts,
    enqueued_at: toWireDatetime(enqueuedAt),
    due_at: state._tag === 'waiting' ? toWireDatetime(state.dueAt) : null,
    ended_at: state._tag === 'parked' || state._tag === 'sent' ? toWireDatetime(state.at) : null,
    latest_error: latestErrorJson(latestFailure),
  }
}

const shown = columns<CustomerEmail>([
  ['ID', 22, ({ id }) => id],
  ['STATE', 7, ({ state }) => state._tag],
  ['ATTEMPTS', 8, ({ attempts }) => String(attempts)],
  ['DUE OR ENDED', 20, timeOf],
  ['LATEST ERROR', 18, ({ latestFailure }) => latestFailure?.code ?? ''],
  ['SUPPLIER', 16, ({ key }) => key.importSupplier],
  ['ACCOUNT', 0, ({ key }) => key.externalAccountNumber],
])

const noSuchEmail = 'There is no such e-mail.'

const outboxIsEmpty =
  'There is no e-mail yet. Customers get one for each account that is created, if their supplier enables e-mails:' +
  ` ${typed('supplier configure CODE --migration-emails on')}`

type ListOptions = Readonly<{ state?: EmailList; supplier?: string }>

type RetryOptions = Readonly<{ parked?: true; supplier?: string }>

/** `outbox list | retry` */
export const make = operatorCommands(({ command, list }) => [
  list(
    leafCommand('list', 'Show e-mails to customers, supplier by supplier.')
      .example('outbox list --state parked --supplier LEVANTE')
      .option('--state <state>', 'only those: waiting (being sent too), parked, sent', oneOf(emailLists))
      .option('--supplier <code>', 'only those of this import supplier'),
    ({ operator }, { state, supplier }: ListOptions) =>
      operator.listEmails({ importSupplier: supplier, list: state }),
    ({ state, supplier }) => ({
      ...shown,
      json: emailJson,
      none: state === undefined && supplier === undefined ? outboxIsEmpty : noSuchEmail,
    }),
  ),
  command(
    refusing<RetryOptions>(
      leafCommand('retry', 'Send e-mails now that are parked, or wait for another try.')
        .example('outbox retry --parked --supplier LEVANTE')
        .argument('[id]', 'one e-mail, by the id that the list shows')
        .option('--parked', 'all that are parked')
        .option('--supplier <code>', 'with --parked: only those of this import supplier'),
      ({ parked, supplier }, id) =>
        (id === undefined) === (parked === undefined) || (id !== undefined && supplier !== undefined)
          ? 'name either one id, or --parked with or without --supplier'
          : undefined,
    ),
    ({ operator }, id: string | undefined, { supplier }: RetryOptions) =>
      id === undefined ? operator.retryParkedEmails({ importSupplier: supplier }) : operator.retryEmail(id),
    ({ retried }) => ({
      json: { retried },
      message: retried === 1 ? 'One e-mail is due now.' : `${retried} e-mails are due now.`,
    }),
  ),
])
