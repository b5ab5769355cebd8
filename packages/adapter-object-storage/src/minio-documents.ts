import * as http from 'node:http'
import * as https from 'node:https'
import { createRequire } from 'node:module'
import type { Documents } from '@account-import/core'
import { isDocumentKey } from '@account-import/core/adapter-kit'
import type * as Minio from 'minio'
import { documentsPort, storageCalls } from './storage-call.js'

// Loaded when needed: it takes long, and documents in a folder do not need it.
const require = createRequire(import.meta.url)
const minio = (): typeof Minio => require('minio') as typeof Minio

type Listener = (response: http.IncomingMessage) => void

/**
 * The requests of `node:http` or `node:https`, each of which is aborted (`ABORT_ERR`) when it is not done, response included,
 * after `milliseconds`: the minio client has no time limit. Certificates are verified, even where `NODE_TLS_REJECT_UNAUTHORIZED`
 * of the environment switches that off.
 */
const deadlineTransport = (useSSL: boolean, milliseconds: number): Pick<typeof http, 'request'> => {
  const send = useSSL ? https.request : http.request
  const within = (options: http.RequestOptions): https.RequestOptions => ({
    ...options,
    ...(useSSL && { rejectUnauthorized: true }),
    signal: AbortSignal.timeout(milliseconds),
  })
  const request = (
    first: http.RequestOptions | string | URL,
    second?: http.RequestOptions | Listener,
    third?: Listener,
  ): http.ClientRequest => {
    const [options, listener] = typeof second === 'function' ? [{}, second] : [second ?? {}, third]
    return typeof first === 'string' || first instanceof URL
      ? send(first, within(options), listener)
      : send(within(first), listener)
  }
  return { request }
}

export type MinioDocumentsOptions = Readonly<{
  /** Host name or address, without scheme and port. */
  endPoint: string
  /** The default port of the scheme when absent. */
  port?: number
  /** `https`, when absent true. */
  useSSL?: boolean
  accessKey: string
  secretKey: string
  bucket: string
  /** The region of the bucket; `us-east-1` when absent, which is MinIO's default. */
  region?: string
  /** Most requests at one time, over all calls, 1 or more; 16 when absent. Further calls wait for their turn. */
  parallel?: number
  /** The time limit of a single request; 10,000 when absent. */
  timeoutMilliseconds?: number
  /** The time limit of a whole call, waiting included, for any number of documents; 30,000 when absent. */
  callTimeoutMilliseconds?: number
}>

/**
 * Documents in a bucket of MinIO, S3 or a compatible storage; needs the right to list the bucket, without which S3 does not
 * report that an object is missing. A missing bucket is an `unexpected` failure. Throws the client's error for wrong options;
 * opens nothing that would have to be closed.
 */
export const minioDocuments = (options: MinioDocumentsOptions): Documents => {
  const {
    bucket,
    parallel = 16,
    timeoutMilliseconds = 10_000,
    callTimeoutMilliseconds = 30_000,
    useSSL = true,
    ...connection
  } = options
  const client = new (minio().Client)({
    // With a region the client does not request the bucket's, which it would repeat after every missing object.
    region: 'us-east-1',
    ...connection,
    useSSL,
    transport: deadlineTransport(useSSL, timeoutMilliseconds),
    // The client must not retry: it writes retries to the console, and the caller can retry.
    retryOptions: { disableRetry: true },
  })
  const { call, inTurn, filter } = storageCalls(parallel, callTimeoutMilliseconds)
  return documentsPort({
    existing: (keys, organisation) =>
      call(async (signal) => {
        const possible = [...new Set(keys)].filter(isDocumentKey)
        const isThere = (key: string) => isObject(client, bucket, key)
        const found = await filter(possible, organisation, isThere, signal)
        // The responses for a missing bucket and for missing objects are equal, so the bucket is checked once.
        if (found.length < possible.length)
          await inTurn(organisation, signal, () => checkBucket(client, bucket))
        return new Set(found)
      }),
    ready: () => call(() => checkBucket(client, bucket)),
  })
}

const isObject = async (client: Minio.Client, bucket: string, key: string): Promise<boolean> => {
  try {
    await client.statObject(bucket, key)
    return true
  } catch (thrown) {
    if (thrown instanceof minio().S3Error && absent.has(thrown.code)) return false
    throw thrown
  }
}

/** No object has that key. MinIO also reports a key that none can have, because a segment is too long for its file system. */
const absent: ReadonlySet<unknown> = new Set([
  'NotFound',
  'NoSuchKey',
  'KeyTooLongError',
  'XMinioInvalidObjectName',
])

const checkBucket = async (client: Minio.Client, bucket: string): Promise<void> => {
  if (await client.bucketExists(bucket)) return
  throw Object.assign(new Error('the bucket does not exist'), { code: 'NoSuchBucket' })
}
