import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { listen } from '../../support/http-server.js'

/** The fate of a request of the API on its way; requests for tokens, import runs and access always pass. */
export type Fault =
  | Readonly<{ kind: 'pass'; afterMilliseconds?: number }>
  /** Something else is done before the service gets it. */
  | Readonly<{ kind: 'pass after'; work: () => Promise<unknown> }>
  /** The connection breaks after this number of lines of the response. */
  | Readonly<{ kind: 'break'; lines: number }>
  /** The response ends as if it were complete after this number of lines. */
  | Readonly<{ kind: 'end'; lines: number }>
  | Readonly<{ kind: 'answer'; status: number; headers?: Record<string, string> }>
  /** The service completes the request, and the connection breaks before its response begins. */
  | Readonly<{ kind: 'lost' }>
  /** The response arrives whole, and its end a little later than its last line. */
  | Readonly<{ kind: 'late end' }>
  /** One line of the response has the result that its account is in progress. */
  | Readonly<{ kind: 'busy line'; line: number }>
  /** No response; the connection breaks when the promise resolves. */
  | Readonly<{ kind: 'silence'; until?: Promise<unknown> }>

/** `inFlight`: the number of open requests when it arrived, including itself. */
type Seen = Readonly<{ path: string; lines: number; inFlight: number }>

const firstLines = (text: string, count: number): string =>
  text
    .split('\n')
    .slice(0, count)
    .map((line) => `${line}\n`)
    .join('')

const withBusyLine = (text: string, busy: number): string =>
  text
    .split('\n')
    .map((written) => {
      const { line, external_account_number } = JSON.parse(written || '{}') as Record<string, unknown>
      const error = { detail: 'Later.', code: 'account_import_in_progress', errors: [] }
      return line === busy ? JSON.stringify({ line, external_account_number, status: 409, error }) : written
    })
    .join('\n')

const forward = async (target: string, request: IncomingMessage, body: Buffer): Promise<Response> =>
  fetch(target + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(
      ['authorization', 'content-type', 'accept', 'import-run', 'import-run-line'].flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
    ...(body.length === 0 ? {} : { body: Uint8Array.from(body) }),
  })

const answer = async (
  response: ServerResponse,
  fault: Fault,
  whole: () => Promise<Response>,
): Promise<void> => {
  if (fault.kind === 'silence') {
    void fault.until?.then(() => response.destroy())
    return
  }
  if (fault.kind === 'answer') {
    response.writeHead(fault.status, { 'Content-Type': 'application/json', ...fault.headers })
    response.end(JSON.stringify({ detail: 'Later.', code: 'service_unavailable', errors: [] }))
    return
  }
  if (fault.kind === 'pass') await pause(fault.afterMilliseconds ?? 0)
  if (fault.kind === 'pass after') await fault.work()
  const answered = await whole()
  const text = await answered.text()
  if (fault.kind === 'lost') {
    response.destroy()
    return
  }
  response.writeHead(answered.status, { 'Content-Type': answered.headers.get('content-type') ?? '' })
  if (fault.kind === 'pass' || fault.kind === 'pass after') response.end(text)
  else if (fault.kind === 'late end') response.write(text, () => setTimeout(() => response.end(), 20))
  else if (fault.kind === 'busy line') response.end(withBusyLine(text, fault.line))
  else if (fault.kind === 'end') response.end(firstLines(text, fault.lines))
  else response.write(firstLines(text, fault.lines), () => setTimeout(() => response.destroy(), 20))
}

/** A proxy between client and service, which applies the next fault to each request, and passes requests without one. */
export const faultyProxy = async (
  t: ExecutionContext,
  target: string,
  faults: Fault[],
  /** The fate of requests that finish a run. */
  finishing?: Fault,
): Promise<Readonly<{ baseUrl: string; seen: readonly Seen[] }>> => {
  const seen: Seen[] = []
  let inFlight = 0
  const listener: RequestListener = (request, response) => {
    void (async () => {
      const body = await buffer(request)
      const path = request.url ?? ''
      const isPassed = /\/graphql\/$|\/import-runs\/|\/access\/$/.test(path)
      if (!isPassed) {
        inFlight += 1
        response.once('close', () => (inFlight -= 1))
        seen.push({
          path,
          lines: body
            .toString()
            .split('\n')
            .filter((line) => line !== '').length,
          inFlight,
        })
      }
      const ofRun = path.endsWith('/finish/') ? finishing : undefined
      const fault = isPassed ? ofRun : faults.shift()
      await answer(response, fault ?? { kind: 'pass' }, () => forward(target, request, body))
    })().catch(() => response.destroy())
  }
  // A slow machine has long pauses between requests, in which the connection has to stay open.
  const port = await listen(t, createServer({ keepAliveTimeout: 60_000 }, listener))
  return { baseUrl: `http://127.0.0.1:${port}`, seen }
}
