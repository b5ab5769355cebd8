import type { Delivery, DeliveryCode } from '@account-import/core'

/** What nodemailer puts on its errors. */
export type SmtpError = Error &
  Readonly<{
    code?: string
    command?: string
    responseCode?: number
    permanent?: boolean
    originalCode?: string
  }>

const unavailable = (code: DeliveryCode): Delivery => ({ _tag: 'unavailable', code })
const deferred = (code: DeliveryCode): Delivery => ({ _tag: 'deferred', code })
const refused = (code: DeliveryCode): Delivery => ({ _tag: 'refused', code })

const connectionCodes: Readonly<Record<string, DeliveryCode>> = {
  ETIMEDOUT: 'timed_out',
  ETLS: 'tls_failed',
  EAUTH: 'auth_failed',
  ENOAUTH: 'auth_failed',
}

/** Codes of Node's TLS, which come as errors of the socket where TLS is spoken from the first byte. */
const isTls = (code = ''): boolean => /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)

/** No connection came about: whatever the message was, it was not the reason. */
export const deliveryOfConnectionError = ({ code = '', originalCode, responseCode }: SmtpError): Delivery => {
  const known = connectionCodes[code]
  if (known !== undefined) return unavailable(known)
  if (isTls(originalCode)) return unavailable('tls_failed')
  return unavailable(responseCode === undefined ? 'unreachable' : 'server_busy')
}

/** Replies that ask for credentials: the set-up is wrong, not the recipient. */
const wantsAuth = new Set([530, 534, 535, 538])

/** The message was not taken over. A sender that is refused is refused for every message. */
export const deliveryOfMessageError = (error: SmtpError): Delivery => {
  const { command, responseCode, permanent } = error
  if (responseCode === undefined)
    return deferred(error.code === 'ETIMEDOUT' ? 'timed_out' : 'connection_lost')
  if (wantsAuth.has(responseCode)) return unavailable('auth_failed')
  if (command === 'MAIL FROM') return unavailable(permanent === true ? 'sender_refused' : 'server_busy')
  if (command === 'RCPT TO')
    return permanent === true ? refused('recipient_refused') : deferred('recipient_deferred')
  return permanent === true ? refused('message_refused') : deferred('message_deferred')
}
