import * as http from 'node:http'
import * as https from 'node:https'

type Listener = (response: http.IncomingMessage) => void

/**
 * The requests of `node:http` or `node:https`, each of which ends with an `ABORT_ERR` when it is not done, answer
 * included, after so many milliseconds: the minio client by itself waits for ever.
 */
export const deadlineTransport = (useSSL: boolean, milliseconds: number): Pick<typeof http, 'request'> => {
  const send = useSSL ? https.request : http.request
  const within = (options: http.RequestOptions): http.RequestOptions => ({
    ...options,
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
