import type { Delivery, MigrationNotice } from '@account-import/core'
import { compose } from './compose.js'
import { asciiAddress } from './mail-sender.js'
import type { SmtpCustomerNotifierOptions } from './smtp-options.js'
import { smtpConnections } from './smtp/smtp-connections.js'
import { bundledTemplates } from './templates/bundled-templates.js'

/** Composes and hands over; with nodemailer, which takes long to load: this file is loaded by the first notice. */
export type SmtpSending = Readonly<{
  send(notice: MigrationNotice, ended: AbortSignal): Promise<Delivery>
  close(): void
}>

export const smtpSending = ({
  server,
  from,
  timeZone,
  milliseconds,
  templates = bundledTemplates,
}: SmtpCustomerNotifierOptions): SmtpSending => {
  const connections = smtpConnections(server, milliseconds)
  return {
    send: (notice, ended) => {
      const envelope = { from: asciiAddress(from.address), to: asciiAddress(notice.recipient.address) }
      return connections.send(envelope, compose(notice, { from, timeZone, templates }), ended)
    },
    close: connections.close,
  }
}
