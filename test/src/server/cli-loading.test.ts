import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { bin, cli } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'

/** Prints which packages were loaded, in the one of the two systems of modules that says so. */
const told = `import { Module } from 'node:module'
process.on('exit', () => {
  const names = Object.keys(Module._cache).map((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1])
  process.stderr.write('LOADED ' + [...new Set(names)].join(' '))
})
`

const loadedBy = async (t: ExecutionContext, ...args: readonly string[]) => {
  const folder = await tempFolder(t)
  const teller = join(folder, 'teller.mjs')
  await writeFile(teller, told)
  const environment = { NODE_OPTIONS: `--import=${teller}`, DATA_DIR: join(folder, 'data') }
  const { stderr } = await cli(args, environment, bin)
  return new Set(/LOADED (.*)$/s.exec(stderr)?.[1]?.split(' '))
}

const heavy = [
  'knex',
  'lodash',
  'mysql2',
  'libsql',
  'stripe',
  'minio',
  'nodemailer',
  'koa',
  'graphql',
  'inversify',
]

test('the help loads the command line and nothing of the service', async (t) => {
  t.deepEqual(
    [...(await loadedBy(t, '--help'))].filter((name) => name !== 'commander'),
    [],
  )
})

test('checking a file loads no database, vendor, storage, mail or server', async (t) => {
  const loaded = await loadedBy(t, 'validate', '/nowhere/at/all')
  t.true(loaded.has('io-ts'))
  t.deepEqual(
    heavy.filter((name) => loaded.has(name)),
    [],
  )
})

test('a command of operators loads the database, and neither the server nor what is not set up', async (t) => {
  const loaded = await loadedBy(t, 'organisation', 'list')
  t.true(loaded.has('knex'))
  t.deepEqual(
    ['stripe', 'minio', 'nodemailer', 'koa', 'graphql'].filter((name) => loaded.has(name)),
    [],
  )
})
