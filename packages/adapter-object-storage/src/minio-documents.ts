import * as http from 'node:http'
import * as https from 'node:https'
import { createRequire } from 'node:module'
import type { Documents } from '@account-import/core'
import { isDocumentKey } from '@account-import/core/adapter-kit'
import type * as Minio from 'minio'
import { storageCalls } from './storage-call.js'

// It takes long to load, and who keeps documents in a folder does without it.
const require = createRequire(import.meta.url)
const minio = (): typeof Minio => require('minio') as typeof Minio

type Listener = (response: http.IncomingMessage) => void

/**
 * The requests of `node:http` or `node:https`, each of which ends with an `ABORT_ERR` when it is not done, answer
 * included, after so many milliseconds: the minio client by itself waits for ever. Certificates are verified, also where
 * `NODE_TLS_REJECT_UNAUTHORIZED` of the environment says otherwise.
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
  /** When absent the scheme's own. */
  port?: number
  /** `https`, when absent true. */
  useSSL?: boolean
  accessKey: string
  secretKey: string
  bucket: string
  /** Where the bucket is; `us-east-1` when absent, which is what MinIO uses unless told otherwise. */
  region?: string
  /** Requests at one time, over all calls, 1 or more; 16 when absent. A call that finds no room waits its turn. */
  parallel?: number
  /** After which a single request is given up; 10,000 when absent. */
  timeoutMilliseconds?: number
  /** After which a whole call is given up, waiting included, however many documents it asks for; 30,000 when absent. */
  callTimeoutMilliseconds?: number
}>

/**
 * Documents in a bucket of MinIO, S3 or what speaks like them; needs the right to list the bucket, without which S3
 * refuses to say that an object is missing. A bucket that does not exist is an `unexpected` failure. Throws the
 * client's error when the options are wrong; opens nothing that would have to be closed.
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
    // With a region the client does not ask for the bucket's, which it would do again after every missing object.
    region: 'us-east-1',
    ...connection,
    useSSL,
    transport: deadlineTransport(useSSL, timeoutMilliseconds),
    // No retries by the client: they write to the console, and the caller can ask again.
    retryOptions: { disableRetry: true },
  })
  const { call, inTurn, filter } = storageCalls(parallel, callTimeoutMilliseconds)
  return {
    existing: (keys, organisation) =>
      call('existing', async (signal) => {
        const possible = [...new Set(keys)].filter(isDocumentKey)
        const isThere = (key: string) => isObject(client, bucket, key)
        const found = await filter(possible, organisation, isThere, signal)
        // A missing bucket looks just like missing objects, so it is told apart once.
        if (found.length < possible.length)
          await inTurn(organisation, signal, () => checkBucket(client, bucket))
        return new Set(found)
      }),
    ready: () => call('ready', () => checkBucket(client, bucket)),
  }
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

/** No object has that key; MinIO also says that none can, as a segment is longer than its file system allows. */
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
