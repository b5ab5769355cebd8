import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { listen } from '../support/http-server.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { outcomeOf, type CliEnvironment } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'

const paths = [
  'notes/LEV-G-000123/contrato.pdf',
  'statements/LEV-G-000123/2025-02.pdf',
  'statements/LEV-G-000123/2025-03.pdf',
]

type World = Readonly<{ database: SharedDatabase; environment: CliEnvironment; documents: string }>

/** A database with so many staged gas samples, which name three documents each, and an empty folder for documents. */
const worldOf = async (t: ExecutionContext, numbers: readonly string[]): Promise<World> => {
  const folder = await tempFolder(t)
  const database = await openSharedDatabase(`sqlite:${join(folder, 'test.db')}`)
  t.teardown(() => database.close())
  for (let begin = 0; begin < numbers.length; begin += 500)
    await database.stage(numbers.slice(begin, begin + 500))
  const documents = join(folder, 'documents')
  await mkdir(documents)
  const environment = { ...database.environment, DOCUMENT_STORAGE_URL: `file:${documents}` }
  return { database, environment, documents }
}

/** Puts a document below the root of the supplier. */
const place = async ({ documents, database }: World, path: string): Promise<void> => {
  const file = join(documents, database.organisation, database.supplier, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '%PDF')
}

test('missing documents are lines of account number and path, and the exit code says whether there are some', async (t) => {
  const world = await worldOf(t, ['B', 'A\t1'])
  const { database, environment } = world
  const run = (...more: readonly string[]) =>
    cliInProcess(['documents', 'missing', database.supplier, ...more], environment)
  await place(world, paths[1] ?? '')
  const [note, , march] = paths
  t.deepEqual(await run(), {
    code: 1,
    stdout: [`A\\t1\t${note}`, `A\\t1\t${march}`, `B\t${note}`, `B\t${march}`, ''].join('\n'),
    stderr: '4 of 6 documents of 2 accounts missing.\n',
  })
  const item = (external_account_number: string, path: string | undefined) => ({
    external_account_number,
    platform_account_number: null,
    path,
  })
  const missing = [item('A\t1', note), item('A\t1', march), item('B', note), item('B', march)]
  const ndjson = await run('--ndjson')
  t.is(ndjson.code, 1)
  t.deepEqual(
    ndjson.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    missing,
  )
  const json = await run('--json')
  t.is(json.code, 1)
  t.deepEqual(JSON.parse(json.stdout), { missing, accounts: 2, references: 6 })

  for (const path of paths) await place(world, path)
  t.deepEqual(await run(), {
    code: 0,
    stdout: '',
    stderr: 'None of 6 documents of 2 accounts is missing.\n',
  })
  t.deepEqual(JSON.parse((await run('--json')).stdout), { missing: [], accounts: 2, references: 6 })
})

test('an unknown supplier and two formats at once are wrong usage, a storage that is away is the environment', async (t) => {
  const { database, environment, documents } = await worldOf(t, ['A'])
  const run = (...more: readonly string[]) => cliInProcess(['documents', 'missing', ...more], environment)
  t.is((await run('NOBODY')).code, 2)
  t.is((await run(database.supplier, '--json', '--ndjson')).code, 2)
  await rm(documents, { recursive: true })
  const { code, stdout, stderr } = await run(database.supplier, '--json')
  t.is(code, 3)
  t.like(JSON.parse(stdout), { error: { code: 'document_storage_unavailable' } })
  t.regex(stderr, /^The document storage cannot be reached \(ENOENT\)/)
})

test('a storage that fails on the way ends the document with what was found until then, and with 3', async (t) => {
  const numbers = Array.from({ length: 600 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { database, environment } = await worldOf(t, numbers)
  let asked = 0
  const port = await listen(t, (request, response) => {
    // The bucket is there and has none of the three documents of the first page; then it is busy.
    if (request.url === '/documents' || request.url === '/documents/') return response.end()
    return response.writeHead(++asked <= 3 ? 404 : 503).end()
  })
  const { code, stdout, stderr } = await cliInProcess(['documents', 'missing', database.supplier, '--json'], {
    ...environment,
    DOCUMENT_STORAGE_URL: `s3+http://key:canary-secret@127.0.0.1:${port}/documents`,
  })
  t.is(code, 3)
  const printed = JSON.parse(stdout) as { missing: unknown[]; error: unknown }
  t.is(printed.missing.length, 1500)
  t.like(printed.error, { code: 'document_storage_unavailable' })
  t.regex(stderr, /HTTP_503.* Until then: 1500 of 1500 documents of 500 accounts missing\./)
  t.notRegex(stdout + stderr, /canary/)
})

test('a reader that has seen enough ends the command without a word', async (t) => {
  const numbers = Array.from({ length: 3000 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { database, environment } = await worldOf(t, numbers)
  const bin = fileURLToPath(new URL('main.js', import.meta.resolve('@account-import/server')))
  const script = '"$0" "$1" documents missing "$2" | head -n 1; echo "${PIPESTATUS[0]}"'
  const child = spawn('bash', ['-c', script, process.execPath, bin, database.supplier], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = await outcomeOf(child)
  t.deepEqual([stdout, stderr], [`A-00000\t${paths[0]}\n3\n`, ''])
})
