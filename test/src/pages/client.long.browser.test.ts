import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { rolldown } from 'rolldown'
import { root } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { openBrowser } from './open-browser.js'

/** The client as a platform bundles it for its pages. */
const clientBundle = async (): Promise<string> => {
  const bundle = await rolldown({
    input: join(root, 'packages/client/dist/index.js'),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return output[0].code
}

/** The origin of a platform whose one page has the client. */
const platform = async (t: ExecutionContext, client: string): Promise<string> => {
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client.js'
    response.setHeader('Content-Type', isClient ? 'text/javascript' : 'text/html')
    response.end(isClient ? client : '<!doctype html><html lang="en"><title>A platform</title></html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What runs in the page, as text: its token is obtained along the way. */
const calls = (given: Readonly<Record<string, unknown>>): string => `(async () => {
  const { baseUrl, apiKey, account, accounts } = ${JSON.stringify(given)}
  const { createClient } = await import('/client.js')
  const client = createClient({ baseUrl, apiKey })
  const validated = await client.validateAccount(account)
  const staged = []
  for await (const { outcome, status } of client.bulkStage(accounts, { retrySeconds: 1 })) staged.push([outcome, status ?? null])
  return { validated: [validated.ok, validated.ok ? validated.status : validated.code], staged }
})()`

test('in a page of another origin the client validates and stages in bulk where CORS_ORIGINS has it, and nowhere else', async (t) => {
  const client = await clientBundle()
  const [listed, other] = await Promise.all([platform(t, client), platform(t, client)])
  const dataDir = await tempFolder(t)
  const [context, { address }] = await Promise.all([
    openBrowser(t),
    serveProcess(t, { DATA_DIR: dataDir, CORS_ORIGINS: listed }, ['--demo']),
  ])
  const apiKey = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim()
  const account = gasAccount('LEVANTE', 'B-1')
  const accounts = [account, gasAccount('LEVANTE', 'B-2'), {}]
  const inPage = async (origin: string): Promise<unknown> => {
    const page = await context.newPage()
    await page.goto(origin)
    return page.evaluate(calls({ baseUrl: address, apiKey, account, accounts }))
  }
  t.deepEqual(await inPage(listed), {
    validated: [true, 200],
    staged: [
      ['done', 201],
      ['done', 201],
      ['failed', 400],
    ],
  })
  t.deepEqual(await inPage(other), {
    validated: [false, 'network'],
    staged: [['stopped', null]],
  })
})
