import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { pythonAvailable } from '../servers/index.js'
import { filesBelow, root, textOf } from '../support/repository.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { anchorsOf } from './anchors-of.js'
import { blocksOf, labelledBlocks } from './readme.js'

const pages = filesBelow('.').filter((path) => path.endsWith('.md'))

const sources = ['packages', 'bench', 'test', 'examples', 'scripts']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\.(?:ts|mjs)$/.test(path))

/** The first group of each match in the text of a file. */
const matchesIn = (path: string, pattern: RegExp): readonly string[] =>
  [...textOf(path).matchAll(pattern)].map(([, group = '']) => group)

const homepage = 'https://github.com/account-import/account-import/blob/main/'

/** The target of a link of a page. Pages of packages link to files of the repository by its address. */
const targetOf = (page: string, link: string): string => {
  const [from, inside] = link.startsWith(homepage) ? ['README.md', link.slice(homepage.length)] : [page, link]
  return inside.startsWith('#') ? from + inside : join(dirname(from), inside)
}

const isThere = (target: string): boolean => {
  const [path = '', anchor] = target.split('#')
  return existsSync(join(root, path)) && (anchor === undefined || anchorsOf(path).has(anchor))
}

test('every link in a page, and every page that a source names, exists', (t) => {
  const links = pages.flatMap((page) =>
    matchesIn(page, /\]\(([^)\s]+)\)/g)
      .filter((link) => link.startsWith(homepage) || !/^[a-z]+:/.test(link))
      .map((link) => targetOf(page, link)),
  )
  const named = sources.flatMap((path) => matchesIn(path, /\b(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g))
  t.true(pages.length > 20 && named.some((target) => target.includes('#')))
  const broken = [...new Set([...links, ...named])].filter((target) => !isThere(target))
  t.deepEqual(broken, [])
})

test('the generated reference equals the output of the generator', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-reference.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.is(status, 0, stderr)
})

test('core and client have a report of each entry, and the main entry of the core exports no class', (t) => {
  const reports = filesBelow('packages').filter((path) => path.endsWith('.api.md'))
  t.true(reports.length >= 7, reports.join(' '))
  const front = textOf('packages/core/etc/index.api.md')
  t.regex(front, /export const createImportService/)
  t.notRegex(front, /^export (abstract )?class /m)
})

test('the page on embedding names each port once, with its replacement', (t) => {
  const [, after = ''] = textOf('docs/how-to/embed-the-core.md').split('## Which ports can be replaced alone')
  const [section = ''] = after.split('\n## ')
  const cells = [...section.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell)
  const named = [...cells.join(' ').matchAll(/`(\w+)`/g)].map(([, name]) => name)
  t.deepEqual(named.toSorted(), Object.keys(inMemoryPorts()).toSorted())
})

test('the glossary has each term once, and each of its code names is exported by a package', (t) => {
  const rows = [...textOf('docs/reference/glossary.md').matchAll(/^- \*\*([a-z][^*]*)\*\*: (.*)/gm)]
  const words = rows.map(([, word = '']) => word)
  t.deepEqual(words, [...new Set(words)].toSorted())
  const exported = /^export (?:declare )?(?:abstract )?(?:type|interface|class|const|function\*?) (\w+)/gm
  const names = new Set(
    sources.flatMap((path) => (path.startsWith('packages') ? matchesIn(path, exported) : [])),
  )
  const told = rows.flatMap(([, , means = '']) => [...means.matchAll(/`(\w*[a-z][A-Z]\w*|[A-Z]\w+)`/g)])
  t.true(told.length > 25)
  const unknown = told.map(([, name = '']) => name).filter((name) => !names.has(name))
  t.deepEqual(unknown, [])
})

/** Commands as pages show them, without comments, each with its page. */
const commands = pages.flatMap((page) =>
  matchesIn(page, /^ *```sh[^\n]*\n([\s\S]*?)^ *```$/gm).flatMap((block) =>
    block.split('\n').map((line) => `${page}: ${line.replace(/(?:^|\s)#.*$/, '')}`),
  ),
)

test('no page shows an API key in a command line, where other users could see it', (t) => {
  t.true(commands.length > 100)
  const wrong = commands.filter((command) => /--api-key[ =]|aik_|\$\{?(?:API_)?KEY\b/.test(command))
  t.deepEqual(wrong, [])
  t.false(textOf('docs/reference/command-line.md').includes('`--api-key <key>`'))
})

test('no page starts the server by npx, which does not forward SIGTERM', (t) => {
  t.true(commands.some((command) => command.includes('node_modules/.bin/account-import serve')))
  const wrong = commands.filter((command) => /\bnpx account-import serve\b/.test(command))
  t.deepEqual(wrong, [])
})

test('git ignores every file with customer data that the commands of the pages write', (t) => {
  const ignored = new Set(textOf('.gitignore').split('\n'))
  const written = pages.flatMap((path) =>
    matchesIn(path, /--(?:failures|errors|mapping|report) ([\w./-]+\.\w+)/g),
  )
  t.true(written.length > 5)
  t.deepEqual(
    written.filter((name) => !name.startsWith('data/') && !ignored.has(basename(name))),
    [],
  )
})

test('every npm command of the README is a script of the project', (t) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = matchesIn('README.md', /npm ((?:run [\w:-]+)|start|test)/g)
  t.true(named.length > 4)
  for (const command of named) t.truthy(scripts[command.replace('run ', '')], command)
})

test('the examples in the pages equal the examples that run', (t) => {
  t.deepEqual(blocksOf('ts', 'example'), [textOf('examples/embed-in-memory/src/main.ts')])
  t.regex(textOf('examples/embed-in-memory/package.json'), /"start": "node dist\/main.js"/)
  const shown = labelledBlocks('docs/tutorials/embed-in-your-platform.md').filter(
    ({ language }) => language === 'ts',
  )
  t.true(shown.length > 4)
  for (const { label, text } of shown) t.is(text, textOf(`examples/embed-step-by-step/src/${label}`))
})

const entities = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The first example of a page, or that in a language. */
const exampleIn = (page: string, language = ''): string => {
  const block = language === '' ? '' : `<div class="code ${language}">`
  const pattern = `<h2 id="(?:example|get-a-token)">[\\s\\S]*?${block}<pre[^>]*><code>([\\s\\S]*?)\n</code></pre>`
  return Object.entries(entities).reduce(
    (text, [entity, character]) => text.replaceAll(entity, character),
    new RegExp(pattern).exec(page)?.[1] ?? '',
  )
}

/** The output of a program that reads its text from stdin; fails the test unless it ends with 0. */
const outputOf = (
  t: ExecutionContext,
  [program = '', ...args]: readonly string[],
  input: string,
  environment: Readonly<Record<string, string>> = {},
): string => {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, input, encoding: 'utf8', env })
  t.is(status, 0, stdout + stderr)
  return stdout
}

test('the example of each endpoint works as shown on its page, in order, on the demo', async (t) => {
  const folder = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: folder }, ['--demo'])
  const textAt = async (path: string): Promise<string> => (await fetch(`${address}/docs/${path}`)).text()
  const first = await textAt('')
  const token = exampleIn(first)
    .replace('http://127.0.0.1:8080', address)
    .replace('data/demo-api-key', join(folder, 'demo-api-key'))
  const links = [...first.matchAll(/href="\.\/endpoints\/(\w+)\/"/g)].map(([, name = '']) => name)
  // The demo's key may not take accounts back, and a confirmation code is that of one preview.
  const names = [...new Set(links)].filter((name) => !['previewUndo', 'undoAccounts'].includes(name))
  t.is(names[0], 'obtainToken')
  t.is(exampleIn(await textAt('endpoints/obtainToken/')), exampleIn(first))
  const pages = await Promise.all(names.map(async (name) => textAt(`endpoints/${name}/`)))
  const examples = pages.slice(1).map((page) => exampleIn(page))
  t.true(
    examples.length > 10 &&
      examples.every((example) => /^(?:IMPORT_RUN=\$\(|)curl -sS "\$URL\/v1\//.test(example)),
  )
  // A refusal ends the script.
  const script = ['curl() { command curl --fail-with-body "$@"; }', token, ...examples].join('\necho\n')
  const stdout = outputOf(t, ['bash', '-e', '-o', 'pipefail'], `${script}\necho\necho "TOKEN $TOKEN"`)
  t.regex(stdout, /"status":"COMPLETED"/)
  t.regex(stdout, /NOTE_CREATION_SUCCESS[\s\S]*LEV-E-F-2022-04[\s\S]*TRANSACTION_ADDED_TO_ACCOUNT/)

  const here = (number: string, language: string): readonly string[] =>
    pages.map((page) =>
      exampleIn(page, language)
        .replaceAll('LEV-E-000456', number)
        .replaceAll('data/demo-api-key', join(folder, 'demo-api-key'))
        .replaceAll('http://127.0.0.1:8080', address),
    )
  const setUp = /^[\s\S]*?createClient\(.*\n/
  const calls = here('LEV-E-TS', 'ts')
  const [before = ''] = setUp.exec(calls[0] ?? '') ?? []
  const programs = calls.map((text) => `{\n${text.replace(setUp, '')}\n}`)
  const called = outputOf(t, ['node', '--input-type=module'], before + programs.join('\n'))
  t.regex(called, /NOTE_CREATION_SUCCESS[\s\S]*status: 'COMPLETED'/)
  t.notRegex(called, /ok: false|outcome: 'stopped'/)
  // Lines of bulk requests are about an account that exists by then.
  const failed = [...called.matchAll(/outcome: 'failed',\s+line: 1,\s+status: 400,\s+code: '(\w+)'/g)]
  t.deepEqual([...new Set(failed.map(([, code]) => code))], ['account_already_imported'])

  if (!pythonAvailable()) return
  const TOKEN = /^TOKEN (\S+)$/m.exec(stdout)?.[1] ?? ''
  const printed = outputOf(t, ['python3', '-'], here('LEV-E-PY', 'python').join('\n'), {
    URL: address,
    TOKEN,
  })
  t.regex(printed, /NOTE_CREATION_SUCCESS[\s\S]*"status":"COMPLETED"/)
})
