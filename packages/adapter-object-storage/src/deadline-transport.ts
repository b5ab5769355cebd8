import * as http from 'node:http'
import * as https from 'node:https'

type Listener = (response: http.IncomingMessage) => void

/**
 * The requests of `node:http` or `node:https`, each of which ends with an `ABORT_ERR` when it is not done, answer
 * included, after so many milliseconds: the minio client by itself waits for ever. Certificates are verified, also where
 * `NODE_TLS_REJECT_UNAUTHORIZED` of the environment says otherwise.
 */
export const deadlineTransport = (useSSL: boolean, milliseconds: number): Pick<typeof http, 'request'> => {
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
