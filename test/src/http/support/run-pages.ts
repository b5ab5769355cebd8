import { createApp, type AppOptions, type LogEntry } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import type { Scope } from '@account-import/core'
import type { ExecutionContext } from 'ava'
import { leastText, organisation, right, service } from '../../use-cases/support/service.js'

/** A service in memory with run pages, its organisation ACME, and functions that change its data. */
export const runPages = async (t: ExecutionContext, options: AppOptions = {}) => {
  const { useCases, clock } = await service()
  const logged: LogEntry[] = []
  const log = (entry: LogEntry): unknown => logged.push(entry)
  const app = createApp(useCases, { runPages: true, ...options, log })
  const { baseUrl, port, close } = await listen(app, { log })
  t.teardown(close)

  const keyOf = async (scopes?: readonly Scope[], of = organisation): Promise<string> =>
    (await right(useCases.operator.createApiKey({ organisation: of, ...(scopes && { scopes }) }))).apiKey

  const open = async (more: object = {}, of = organisation, supplier = 'LEVANTE'): Promise<string> => {
    const payload = { import_supplier: supplier, ...more }
    return (await right(useCases.openImportRun({ organisation: of, payload, by: { who: 'key k1' } }))).id
  }

  /** Stages an account as a line of a run, with fields that refuse it if a test sets them. */
  const stage = async (id: string, number: string, line: number, fields: object = {}): Promise<void> => {
    const payload = { ...(JSON.parse(leastText(number)) as object), ...fields }
    await useCases.stageAccount({ organisation, payload, importRun: { id, firstLine: line } })
  }

  return { baseUrl, port, useCases, clock, logged, keyOf, open, stage }
}

/** A field that is wrong, so that the account is refused. */
export const refusing = { customers: 'nobody' }

const own = { 'Sec-Fetch-Site': 'same-origin' }

/** Sends the form of the login as a browser does. */
export const sendKey = (
  address: string,
  apiKey: string,
  headers: Readonly<Record<string, string>> = own,
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ api_key: apiKey }),
  })

/** The cookie of a login, as clients send it. */
export const cookieOf = async (address: string, apiKey: string): Promise<string> => {
  const [cookie = ''] = (await sendKey(address, apiKey)).headers.getSetCookie()
  return cookie.replace(/;.*$/, '')
}

/** Status and code of a page in place of another one. */
export const codeIn = async (answer: Response): Promise<string> => {
  const page = await answer.text()
  const [, code = page.includes('class="login') ? 'not_authenticated' : undefined] =
    /role="alert">.*?<code>([a-z_]+)<\/code>/s.exec(page) ?? []
  return `${answer.status} ${code}`
}
