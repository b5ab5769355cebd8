import type { SmtpServer } from '@account-import/adapter-email'
import { notAcceptable, textCodec } from './text-codec.js'

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const credentialsOf = ({ username, password }: URL): SmtpServer['credentials'] | 'not_readable' => {
  if (username === '' && password === '') return undefined
  const [user, secret] = [decoded(username), decoded(password)]
  return user && secret ? { user, password: secret } : 'not_readable'
}

/** How a URL of either scheme speaks TLS; plain text only where it is asked for. */
const tlsOf = ({ protocol, search }: URL): SmtpServer['tls'] | undefined => {
  if (search === '') return protocol === 'smtps:' ? 'implicit' : 'required'
  return search === '?tls=off' && protocol === 'smtp:' ? 'off' : undefined
}

const defaultPorts: Readonly<Record<SmtpServer['tls'], number>> = { implicit: 465, required: 587, off: 25 }

const read = (text: string): SmtpServer | undefined => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const [tls, credentials] = [tlsOf(url), credentialsOf(url)]
  if (tls === undefined || credentials === 'not_readable') return undefined
  if (url.hostname === '' || url.hash !== '' || !['', '/'].includes(url.pathname)) return undefined
  const port = url.port === '' ? defaultPorts[tls] : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, tls, credentials }
}

/** Where e-mails are handed over. The text may hold a password: it is never shown. */
export const smtpUrl = textCodec<SmtpServer>(
  'smtpUrl',
  (text) =>
    read(text) ??
    notAcceptable(
      'must be smtp://<user>:<password>@<host>:<port> (STARTTLS, or nothing is sent), smtps://… (TLS at once), or' +
        ' smtp://…?tls=off (plain text), user and password percent-encoded or left out',
    ),
)
