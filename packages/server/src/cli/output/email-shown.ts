import type { CustomerEmail } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import type { Shown } from '../stream-pages.js'
import { oneCell } from '../../printable.js'

/** When it is tried next, or when it ended. */
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

const json = (email: CustomerEmail): unknown => {
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
    latest_error:
      latestFailure === undefined
        ? null
        : { code: latestFailure.code, occurred_at: toWireDatetime(latestFailure.occurredAt) },
  }
}

/** As wide as their values mostly are: lines are printed before all of them are known. */
const line = (cells: readonly (readonly [text: string, width: number])[]): string =>
  cells
    .map(([text, width]) => oneCell(text).padEnd(width))
    .join('  ')
    .trimEnd()

const widths = { id: 22, state: 7, attempts: 8, time: 20, code: 18, supplier: 16 }

/** E-mails in lists of the command line. */
export const emailShown: Omit<Shown<CustomerEmail>, 'none'> = {
  json,
  headings: line([
    ['ID', widths.id],
    ['STATE', widths.state],
    ['ATTEMPTS', widths.attempts],
    ['DUE OR ENDED', widths.time],
    ['LATEST ERROR', widths.code],
    ['SUPPLIER', widths.supplier],
    ['ACCOUNT', 0],
  ]),
  text: (email) =>
    line([
      [email.id, widths.id],
      [email.state._tag, widths.state],
      [String(email.attempts), widths.attempts],
      [timeOf(email), widths.time],
      [email.latestFailure?.code ?? '', widths.code],
      [email.key.importSupplier, widths.supplier],
      [email.key.externalAccountNumber, 0],
    ]),
}
