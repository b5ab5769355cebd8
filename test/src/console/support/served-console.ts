import type { AppOptions, LogEntry } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { consoleApp, type ConsoleOptions } from '@account-import/console'
import type { Scope, UseCases } from '@account-import/core'
import type { ExecutionContext } from 'ava'
import { leastText, organisation, right, service } from '../../use-cases/support/service.js'

/** A console over the use cases, closed when the test ends. */
export const serveConsole = async (
  t: ExecutionContext,
  useCases: UseCases,
  options: Omit<ConsoleOptions, 'service'> = {},
) => {
  const logged: LogEntry[] = []
  const log = (entry: LogEntry): unknown => logged.push(entry)
  const { baseUrl, port, close } = await listen(consoleApp({ service: { useCases }, ...options, log }), {
    log,
  })
  t.teardown(close)
  return { baseUrl, port, logged, home: `${baseUrl}${options.basePath ?? ''}/console/` }
}

/** A service in memory with the console, its organisation ACME, and functions that change its data. */
export const servedConsole = async (
  t: ExecutionContext,
  options: AppOptions & Pick<ConsoleOptions, 'access'> = {},
) => {
  const { useCases, clock } = await service()
  const served = await serveConsole(t, useCases, options)

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

  return { ...served, useCases, clock, keyOf, open, stage }
}

/** A field that is wrong, so that the account is refused. */
export const refusing = { customers: 'nobody' }

const own = { 'Sec-Fetch-Site': 'same-origin' }

/** Sends a form as a browser does. */
export const sendForm = (
  address: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...own, ...headers },
    body: new URLSearchParams(fields),
  })

/** The cookie of a login, as clients send it. */
export const cookieOf = async (home: string, apiKey: string): Promise<string> => {
  const [cookie = ''] = (await sendForm(`${home}log-in/`, { api_key: apiKey })).headers.getSetCookie()
  return cookie.replace(/;.*$/, '')
}

/** Status and code of a page in place of another one. */
export const codeIn = async (answer: Response): Promise<string> => {
  const page = await answer.text()
  const [, code = page.includes('class="login') ? 'not_authenticated' : undefined] =
    /role="alert">.*?<code>([a-z_]+)<\/code>/s.exec(page) ?? []
  return `${answer.status} ${code}`
}
