import type { SmtpServer } from '@account-import/adapter-email'
import { authoritiesIn, databaseUrlFault, decodedPart, noAuthorities } from '@account-import/adapter-sql/urls'
import { isLoopback, withoutBrackets } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import { textCodec, textOf } from '@account-import/cli/kit'

/**
 * The database. `embedded` is SQLite in a file (`:memory:` stores nothing), `server` is MySQL, MariaDB, Galera or PostgreSQL, on one
 * host or several; connections to other machines use verified TLS unless `?tls=off`. The text may contain a password: never show it.
 */
type DatabaseUrl = Readonly<{ kind: 'embedded' | 'server'; url: string }>

export const databaseUrl = textCodec<DatabaseUrl>((text) => {
  const fault = databaseUrlFault(text)
  return fault === undefined
    ? E.right({ kind: text.startsWith('sqlite:') ? 'embedded' : 'server', url: text })
    : E.left(fault)
})

/** The storage of documents: a folder, or a bucket of MinIO or S3. The text may contain a secret: never show it. */
type DocumentStorageUrl =
  | Readonly<{ kind: 'folder'; path: string }>
  | Readonly<{
      kind: 'bucket'
      endpoint: string
      accessKey: string
      secretKey: string
      bucket: string
      /** The region of the bucket, for the signatures of requests. Absent: the default of MinIO. */
      region?: string
    }>

/** The form of a bucket's name for S3 and MinIO. */
const bucketName = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/

const regionName = /^[a-z0-9][a-z0-9-]{0,62}$/

/** The parameters of a URL; undefined if one is not in `names` or is repeated. */
const parametersOf = (
  search: URLSearchParams,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> | undefined =>
  names.filter((name) => search.has(name)).length === search.size ? Object.fromEntries(search) : undefined

/** `file:<folder>`, or the same as a URL with three slashes. */
const folderOf = (text: string): DocumentStorageUrl | undefined => {
  const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  return path === '' || path.startsWith('//') || path.includes('\0') ? undefined : { kind: 'folder', path }
}

const bucketOf = (text: string): DocumentStorageUrl | undefined => {
  const address = text.slice('s3+'.length)
  if (!/^s3\+https?:\/\//.test(text) || !URL.canParse(address)) return undefined
  const { origin, protocol, hostname, username, password, pathname, searchParams, hash } = new URL(address)
  const [accessKey, secretKey] = [decodedPart(username), decodedPart(password)]
  const bucket = bucketName.exec(pathname)?.[1]
  const parameters = parametersOf(searchParams, ['region', 'tls'])
  if (!accessKey || !secretKey || bucket === undefined || hash !== '' || parameters === undefined)
    return undefined
  const { region, tls } = parameters
  if (region !== undefined && !regionName.test(region)) return undefined
  if (tls !== undefined && (tls !== 'off' || protocol !== 'http:')) return undefined
  if (protocol === 'http:' && tls === undefined && !isLoopback(hostname)) return undefined
  return { kind: 'bucket', endpoint: origin, accessKey, secretKey, bucket, ...(region && { region }) }
}

export const documentStorageUrl = textOf(
  'must be file:<folder>, or s3+https://<key>:<secret>@<host>:<port>/<bucket>,' +
    ' special characters percent-encoded, with ?region=<region> unless it is us-east-1;' +
    ' without TLS s3+http:// on this machine, and s3+http://…?tls=off elsewhere',
  (text) => (text.startsWith('file:') ? folderOf(text) : bucketOf(text)),
)

const credentialsOf = ({ username, password }: URL): SmtpServer['credentials'] | 'not_readable' => {
  if (username === '' && password === '') return undefined
  const [user, secret] = [decodedPart(username), decodedPart(password)]
  return user && secret ? { user, password: secret } : 'not_readable'
}

type SmtpParameters = Readonly<{ tls: SmtpServer['tls']; file: string | undefined }>

/** The TLS mode of an SMTP URL, and the file of trusted authorities. Plain text only by `?tls=off`. */
const smtpParametersOf = ({ protocol, searchParams }: URL): SmtpParameters | undefined => {
  const parameters = parametersOf(searchParams, ['tls', 'tls-ca'])
  if (parameters === undefined) return undefined
  const { tls, 'tls-ca': file } = parameters
  if (tls === undefined) return { tls: protocol === 'smtps:' ? 'implicit' : 'required', file }
  return tls === 'off' && protocol === 'smtp:' && file === undefined ? { tls, file } : undefined
}

const defaultPorts: Readonly<Record<SmtpServer['tls'], number>> = { implicit: 465, required: 587, off: 25 }

const smtpForm =
  'must be smtp://<user>:<password>@<host>:<port> (STARTTLS, or nothing is sent), smtps://… (TLS at once), or' +
  ' smtp://…?tls=off (plain text), user and password percent-encoded or left out; ?tls-ca=<file> names an authority'

/** The SMTP server for e-mails. The text may contain a password: never show it. */
export const smtpUrl = textCodec<SmtpServer>((text) => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return E.left(smtpForm)
  const url = new URL(text)
  const [parameters, credentials] = [smtpParametersOf(url), credentialsOf(url)]
  if (parameters === undefined || credentials === 'not_readable') return E.left(smtpForm)
  if (url.hostname === '' || url.hash !== '' || !['', '/'].includes(url.pathname)) return E.left(smtpForm)
  const { tls, file } = parameters
  const authorities = file === undefined ? undefined : authoritiesIn(file)
  if (file !== undefined && authorities === undefined) return E.left(noAuthorities)
  const port = url.port === '' ? defaultPorts[tls] : Number(url.port)
  return E.right({
    host: withoutBrackets(url.hostname),
    port,
    tls,
    credentials,
    ...(authorities !== undefined && { authorities }),
  })
})
