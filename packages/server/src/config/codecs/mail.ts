import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  bundledTemplates,
  type EmailTemplates,
  type MailSender,
  parseMailSender,
  readTemplates,
  type SmtpServer,
} from '@account-import/adapter-email'
import { notAcceptable, textCodec } from './plain.js'

/** The certificates (PEM) of the file; undefined where it cannot be read or holds none. Node's error would quote it. */
const authoritiesIn = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    return new X509Certificate(text).toString() === '' ? undefined : text
  } catch {
    return undefined
  }
}

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

type Parameters = Readonly<{ tls: SmtpServer['tls']; file: string | undefined }>

/** How a URL of either scheme speaks TLS, and the file of the authorities to trust; plain text only where it is asked for. */
const parametersOf = ({ protocol, searchParams }: URL): Parameters | undefined => {
  const { tls, 'tls-ca': file, ...others } = Object.fromEntries(searchParams)
  const isOnce = searchParams.size === Number(tls !== undefined) + Number(file !== undefined)
  if (Object.keys(others).length > 0 || !isOnce) return undefined
  if (tls === undefined) return { tls: protocol === 'smtps:' ? 'implicit' : 'required', file }
  return tls === 'off' && protocol === 'smtp:' && file === undefined ? { tls, file } : undefined
}

const defaultPorts: Readonly<Record<SmtpServer['tls'], number>> = { implicit: 465, required: 587, off: 25 }

const read = (text: string): SmtpServer | 'no_authorities' | undefined => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const [parameters, credentials] = [parametersOf(url), credentialsOf(url)]
  if (parameters === undefined || credentials === 'not_readable') return undefined
  if (url.hostname === '' || url.hash !== '' || !['', '/'].includes(url.pathname)) return undefined
  const { tls, file } = parameters
  const authorities = file === undefined ? undefined : authoritiesIn(file)
  if (file !== undefined && authorities === undefined) return 'no_authorities'
  const port = url.port === '' ? defaultPorts[tls] : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port, tls, credentials, ...(authorities !== undefined && { authorities }) }
}

/** Where e-mails are handed over. The text may hold a password: it is never shown. */
export const smtpUrl = textCodec<SmtpServer>('smtpUrl', (text) => {
  const server = read(text)
  if (server === 'no_authorities')
    return notAcceptable('has a tls-ca that is no file of certificates (PEM) that can be read')
  return (
    server ??
    notAcceptable(
      'must be smtp://<user>:<password>@<host>:<port> (STARTTLS, or nothing is sent), smtps://… (TLS at once), or' +
        ' smtp://…?tls=off (plain text), user and password percent-encoded or left out; ?tls-ca=<file> names an authority',
    )
  )
})

/** The sender of e-mails. */
export const mailFrom = textCodec<MailSender>(
  'mailFrom',
  (text) => parseMailSender(text) ?? notAcceptable('must be an e-mail address, or Name <address>'),
)

/** The bundled templates, or those with a folder's in their place. */
export const mailTemplates = textCodec<EmailTemplates>('mailTemplates', (folder) => {
  if (folder === '') return bundledTemplates
  const read = readTemplates(folder)
  return read._tag === 'Right'
    ? read.right
    : notAcceptable(
        'must be a folder that can be read, with a folder of templates for each language' +
          (read.left.length === 0 ? '' : `: ${read.left.join('; ')}`),
      )
})
