import test, { type ExecutionContext } from 'ava'
import { html } from '@account-import/core/html'
import { type Page, pageAt } from './support/page-at.js'
import { serve } from './support/serve.js'

const basePath = '/imports'

const served = async (t: ExecutionContext): Promise<string> => (await serve(t, {})).baseUrl

test('the address of the service has a page about it, also below a base path', async (t) => {
  const follow = async (address: string) => {
    const response = await fetch(address, { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  t.deepEqual(await follow(await served(t)), [200, null])
  const { baseUrl: below } = await serve(t, {}, { basePath })
  t.deepEqual(await follow(below), [302, '/imports/'])
  t.deepEqual(await follow(`${below}/imports`), [302, '/imports/'])
  t.deepEqual(await follow(`${below}/imports/`), [200, null])
  t.deepEqual(await follow(`${below}/imports//`), [404, null])
  t.is((await fetch(below, { method: 'POST', redirect: 'manual' })).status, 405)
  const { text, policy } = await pageAt(`${below}/imports/`)
  t.true(policy.startsWith("default-src 'none'"))
  t.true(text.includes('<a href="docs/tutorials/from-a-csv-export/">Import a file</a>'))
})

const chipsIn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<li class="chip (\w+)">([^<]*)<\/li>/g)].map(([, tone, state]) => `${tone}: ${state}`)

test('the page of the service has the states of /readyz, and an introduction where there is one', async (t) => {
  const readiness = async () =>
    ({
      database: { state: 'ok' },
      document_storage: { state: 'degraded', code: 'document_storage_refused' },
    }) as const
  const pages = () => async (_: unknown, next: () => Promise<unknown>) => next()
  const introduction = async () => html`<h2>Demo</h2><p>${'<b>'}</p>`
  const { baseUrl } = await serve(t, {}, { readiness, introduction, pages })
  const page = await pageAt(`${baseUrl}/`)
  t.deepEqual(chipsIn(page), [
    'warn: service degraded',
    'good: database ok',
    'warn: document storage degraded: document_storage_refused',
  ])
  t.true(page.text.includes('<h2>Demo</h2><p>&lt;b&gt;</p>') && page.text.includes('href="console/"'))
  const plain = await pageAt(`${await served(t)}/`)
  t.deepEqual(chipsIn(plain), [])
  t.notRegex(plain.text, /Demo|PARTS|href="console/)
})
