import { smtpCustomerNotifier, type SmtpCustomerNotifierOptions } from '@account-import/adapter-email'
import { instantOf, type Delivery, type MigrationNotice } from '@account-import/core'
import { safeForMail } from '@account-import/core/html'
import type { ExecutionContext } from 'ava'

export const sender = { name: 'Llum del Sud', address: 'no-reply@mail.example.com' }

const aNotice = (changed: Partial<MigrationNotice> = {}): MigrationNotice => ({
  id: 'aB3dE5gH7jK9mN1pQ3sT5v',
  language: 'es',
  recipient: { address: 'nuria@example.com', name: safeForMail('Núria') },
  importSupplier: 'LEVANTE',
  externalAccountNumber: 'LEV-G-000123',
  platformAccountNumber: 'A-0123456789AB',
  createdAt: instantOf(Date.parse('2025-09-01T22:30:00Z')),
  ...changed,
})

const neverStopped = (): AbortSignal => new AbortController().signal

/** A notifier of the server on this port; its connections end with the test. */
export const notifierOf = (
  t: ExecutionContext,
  port: number,
  options: Partial<Omit<SmtpCustomerNotifierOptions, 'server'>> & {
    server?: Partial<SmtpCustomerNotifierOptions['server']>
  } = {},
) => {
  const { server, ...rest } = options
  const notifier = smtpCustomerNotifier({
    from: sender,
    timeZone: 'Europe/Madrid',
    milliseconds: 20_000,
    ...rest,
    server: { host: '127.0.0.1', port, tls: 'off', credentials: undefined, ...server },
  })
  t.teardown(() => notifier.close())
  return {
    ...notifier,
    send: (changed: Partial<MigrationNotice> = {}, signal = neverStopped()): Promise<Delivery> =>
      notifier.notify(aNotice(changed), signal),
  }
}

export const accepted: Delivery = { _tag: 'accepted' }
export const deferred: Delivery = { _tag: 'deferred', code: 'message_deferred' }
export const refused: Delivery = { _tag: 'refused', code: 'recipient_refused' }
