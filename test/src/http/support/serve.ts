import type { AppOptions, HttpServerOptions, LogEntry } from '@account-import/adapter-http-koa'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import type { UseCases } from '@account-import/core'
import type { ExecutionContext } from 'ava'
import { someUseCases } from './some-use-cases.js'

type Options = Partial<Omit<AppOptions, 'log'>>

type Served = Readonly<{ baseUrl: string; port: number; logged: readonly LogEntry[] }>

/** A real server over the use cases, closed when the test ends. */
export const serve = async (
  t: ExecutionContext,
  useCases: Partial<UseCases>,
  options: Options = {},
  server: HttpServerOptions = {},
): Promise<Served> => {
  const logged: LogEntry[] = []
  const log = (entry: LogEntry): unknown => logged.push(entry)
  const app = createApp(someUseCases(useCases), { ...options, log })
  const { baseUrl, port, close } = await listen(app, { ...server, log })
  t.teardown(close)
  return { baseUrl, port, logged }
}

export const validatePath = '/v1/data-import/validate-account/'
export const stagePath = '/v1/data-import/account-import-process/create-or-update/'
export const processPath = '/v1/data-import/account-import-process/process/'
export const statusPath = '/v1/data-import/account-transfer-status/'

const goodHeaders = { Authorization: 'Token good', 'Content-Type': 'application/json' }

/** POSTs with a good token, as JSON unless the headers say something else. */
export const post = (
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(url, { method: 'POST', body, headers: { ...goodHeaders, ...headers } })

export const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { Authorization: 'Token good', ...headers } })

/** Status and code of a problem, after checking that its body has the one form that all problems have. */
export const problemIn = async (t: ExecutionContext, response: Response): Promise<string> => {
  t.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null || !('code' in body) || !('errors' in body))
    return t.fail('no problem body')
  t.true('detail' in body && typeof body.detail === 'string' && body.detail !== '')
  t.true(Array.isArray(body.errors))
  return `${response.status} ${String(body.code)}`
}

/** The same, and each of its entries by code and place: `400 request_failed_validation, min_value limit`. */
export const entriesIn = async (t: ExecutionContext, response: Response): Promise<string> => {
  const { errors } = (await response.clone().json()) as { errors: readonly { code: string; attr: string }[] }
  return [await problemIn(t, response), ...errors.map(({ code, attr }) => `${code} ${attr}`)].join(', ')
}
