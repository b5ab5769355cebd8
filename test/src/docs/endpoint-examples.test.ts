import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'ava'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const exampleIn = (page: string): string =>
  unescaped(/<h2 id="(?:example|token)">[\s\S]*?<pre><code>([\s\S]*?)<\/code><\/pre>/.exec(page)?.[1] ?? '')

test('the example of every endpoint works as it stands on its page, in their order, on the demo', async (t) => {
  const folder = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: folder }, ['--demo'])
  const textAt = async (path: string): Promise<string> => (await fetch(`${address}/docs/${path}`)).text()
  const first = await textAt('')
  const token = exampleIn(first)
    .replace('http://127.0.0.1:8080', address)
    .replace('data/demo-api-key', join(folder, 'demo-api-key'))
  const names = [...first.matchAll(/href="\.\/endpoints\/(\w+)\/"/g)].map(([, name = '']) => name)
  t.is(names[0], 'obtainToken')
  t.is(exampleIn(await textAt('endpoints/obtainToken/')), exampleIn(first))
  const examples = await Promise.all(
    names.slice(1).map(async (name) => exampleIn(await textAt(`endpoints/${name}/`))),
  )
  t.true(examples.length > 10 && examples.every((example) => example.startsWith('curl -sS "$URL/v1/')))
  // What is refused ends the script.
  const script = ['curl() { command curl --fail-with-body "$@"; }', token, ...examples].join('\necho\n')
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail'], {
    input: script,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  })
  t.is(status, 0, stdout + stderr)
  t.regex(stdout, /"status":"COMPLETED"/)
  t.regex(stdout, /NOTE_CREATION_SUCCESS[\s\S]*LEV-E-F-2022-04[\s\S]*TRANSACTION_ADDED_TO_ACCOUNT/)
})
