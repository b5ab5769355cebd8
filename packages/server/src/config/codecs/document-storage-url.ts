import { isLoopback } from '@account-import/core/adapter-kit'
import { notAcceptable, textCodec } from './plain.js'

/** Where documents lie: in a folder, or in a bucket of MinIO or S3. The text may hold a secret: it is never shown. */
export type DocumentStorageUrl =
  | Readonly<{ kind: 'folder'; path: string }>
  | Readonly<{
      kind: 'bucket'
      endpoint: string
      accessKey: string
      secretKey: string
      bucket: string
      /** Where the bucket is, which requests are signed for; absent: as MinIO has it. */
      region?: string
    }>

/** The form of a bucket's name for S3 and MinIO. */
const bucketName = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/

const regionName = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Region and TLS; undefined where there is anything else, or anything twice. */
const parametersOf = (
  search: URLSearchParams,
): Readonly<{ region: string | undefined; isPlain: boolean }> | undefined => {
  const { region, tls, ...others } = Object.fromEntries(search)
  const isOnce = search.size === Number(region !== undefined) + Number(tls !== undefined)
  if (Object.keys(others).length > 0 || !isOnce) return undefined
  if (tls !== undefined && tls !== 'off') return undefined
  if (region !== undefined && !regionName.test(region)) return undefined
  return { region, isPlain: tls === 'off' }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `file:<folder>`, or the same as a URL with three slashes. */
const folderOf = (text: string): DocumentStorageUrl | undefined => {
  const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  return path === '' || path.startsWith('//') || path.includes('\0') ? undefined : { kind: 'folder', path }
}

const bucketOf = (text: string): DocumentStorageUrl | undefined => {
  const address = text.slice('s3+'.length)
  if (!URL.canParse(address)) return undefined
  const { origin, protocol, hostname, username, password, pathname, searchParams, hash } = new URL(address)
  const [accessKey, secretKey] = [decoded(username), decoded(password)]
  const bucket = bucketName.exec(pathname)?.[1]
  const parameters = parametersOf(searchParams)
  if (!accessKey || !secretKey || bucket === undefined || hash !== '') return undefined
  if (parameters === undefined || (parameters.isPlain && protocol !== 'http:')) return undefined
  if (protocol === 'http:' && !parameters.isPlain && !isLoopback(hostname)) return undefined
  const { region } = parameters
  return { kind: 'bucket', endpoint: origin, accessKey, secretKey, bucket, ...(region && { region }) }
}

const read = (text: string): DocumentStorageUrl | undefined => {
  if (text.startsWith('file:')) return folderOf(text)
  return /^s3\+https?:\/\//.test(text) ? bucketOf(text) : undefined
}

export const documentStorageUrl = textCodec<DocumentStorageUrl>(
  'documentStorageUrl',
  (text) =>
    read(text) ??
    notAcceptable(
      'must be file:<folder>, or s3+https://<key>:<secret>@<host>:<port>/<bucket>,' +
        ' special characters percent-encoded, with ?region=<region> unless it is us-east-1;' +
        ' without TLS s3+http:// on this machine, and s3+http://…?tls=off elsewhere',
    ),
)
