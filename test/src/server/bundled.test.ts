import test, { type ExecutionContext } from 'ava'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const run = promisify(execFile)

/** Starts the server, and sends a long account to its page that validates. */
const program = `
import { createClient } from '@account-import/client'
import { readConfig, startServer } from '@account-import/server'
const config = readConfig({ DATA_DIR: process.argv[2], PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' })
if (config._tag === 'Left') throw new Error(JSON.stringify(config.left))
let server
try {
  server = await startServer(config.right)
} catch (cause) {
  console.log(cause.code, cause.message)
  process.exit(0)
}
const { operator } = server.useCases
await operator.createOrganisation({ code: 'ACME' })
await operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
const made = await operator.createApiKey({ organisation: 'ACME' })
const client = createClient({ baseUrl: server.address, apiKey: made.right.apiKey })
const notes = Array.from({ length: 400 }, () => ({ body: 'x'.repeat(400) }))
const least = { import_supplier: 'LEVANTE', external_account_number: 'N-1', unknown_occupier: true }
console.log((await client.stageAccount({ ...least, notes })).status)
await server.stop()
process.exit(0)
`

/** The output of the program, in a bundle with these entries besides its own. */
const bundled = async (t: ExecutionContext, entries: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await tempFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'program.js'), program)
  const bundle = await rolldown({
    cwd: folder,
    input: { main: './program.js', ...entries },
    platform: 'node',
    external: /^(?:@duckdb\/node-api|knex|libsql|minio|mysql2)(?:\/|$)/,
    tsconfig: false,
    logLevel: 'silent',
  })
  await bundle.write({ dir: join(folder, 'out') })
  await bundle.close()
  const { stdout } = await run(process.execPath, [join(folder, 'out', 'main.js'), await tempFolder(t)], {
    timeout: 60_000,
  })
  return stdout.trim()
}

test.serial(
  'a bundled server without the file of its thread does not start, and names the remedy',
  async (t) => {
    const told = await bundled(t, {})
    t.regex(
      told,
      /^thread_missing .*Add @account-import\/server\/thread to the bundle, as an entry named thread/,
    )
  },
)

test.serial('a bundled server with the file of its thread reads long accounts', async (t) => {
  t.is(await bundled(t, { thread: '@account-import/server/thread' }), '201')
})
