import type { AppOptions, LogEntry } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { consoleApp, type ConsoleOptions } from '@account-import/console'
import { millisecondsOf, type Scope, type UseCases } from '@account-import/core'
import type { ExecutionContext } from 'ava'
import { leastText, organisation, processGas, right, service } from '../../use-cases/support/service.js'

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
  const { useCases, ports, clock } = await service()
  const now = () => millisecondsOf(clock.now())
  const served = await serveConsole(t, useCases, { now, ...options })

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

  /** Creates staged accounts in a run. */
  const create = async (id: string, ...numbers: readonly string[]): Promise<void> => {
    for (const number of numbers) {
      const payload = { ...processGas, external_account_number: number }
      await right(
        useCases.processAccount({ organisation, payload, importRun: { id }, by: { who: 'key k1' } }),
      )
    }
  }

  /** A page as text, for a key with these scopes. */
  const opener = async (scopes?: readonly Scope[], of = organisation) => {
    const cookie = await cookieOf(served.home, await keyOf(scopes, of))
    return async (path: string, status = 200): Promise<string> => {
      const answer = await fetch(served.home + path, { headers: { Cookie: cookie }, redirect: 'manual' })
      if (answer.status !== status) throw new Error(`${path}: ${await codeIn(answer)}`)
      return answer.text()
    }
  }

  return { ...served, useCases, ports, clock, keyOf, open, stage, create, opener }
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

/** The text that people read in a page, without markup. */
export const wordsIn = (page: string): string =>
  page
    .replace(/^.*<main>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Status and code of a page in place of another one. */
export const codeIn = async (answer: Response): Promise<string> => {
  const page = await answer.text()
  const [, code = page.includes('class="login') ? 'not_authenticated' : undefined] =
    /role="alert">.*?<code>([a-z_]+)<\/code>/s.exec(page) ?? []
  return `${answer.status} ${code}`
}
