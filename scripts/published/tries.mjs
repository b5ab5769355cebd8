import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runBlock } from './pages.mjs'

const trial = fileURLToPath(new URL('trial/', import.meta.url))
const account = fileURLToPath(new URL('../../examples/samples/gas-account.json', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

const run = (title, program, args, options) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 120_000,
    ...options,
  })
  return status === 0 ? [] : [`${title}: exit ${status}\n${stdout}${stderr}`]
}

/** Compiles the trials with the installed types, and checks the types of our packages as well. */
const compile = (project) => {
  for (const file of readdirSync(trial)) copyFileSync(join(trial, file), join(project, file))
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
        strict: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['*.ts', '*.cts'],
    }),
  )
  return run('tsc', process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
    cwd: project,
  })
}

/** The package must contain the sources of the documentation. */
const missingPages = async (address) => {
  const paths = [
    '/docs/',
    '/docs/how-to/operate/',
    '/docs/errors/required/',
    '/docs/search/?q=account',
    '/docs/interactive/swagger-ui.css',
  ]
  const statuses = await Promise.all(paths.map(async (path) => [path, (await fetch(address + path)).status]))
  return statuses
    .filter(([, status]) => status !== 200)
    .map(([path, status]) => `${path} is answered ${status}`)
}

/** Serves the demo from a program, imports an account with the client, and ends the server. */
const serveAndImport = async (project, node, program) => {
  const dataDir = mkdtempSync(join(project, 'data-'))
  const server = spawn(node, [program, 'serve', '--demo', '--json'], {
    cwd: project,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 2],
  })
  const ended = once(server, 'exit')
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line', {
      signal: AbortSignal.timeout(60_000),
    })
    const { address } = JSON.parse(line)
    const key = readFileSync(join(dataDir, 'demo-api-key'), 'utf8').trim()
    const faults = [
      ...run('client', node, ['client.js', address, key, account], { cwd: project }),
      ...run('explain', node, [program, 'explain', 'required'], { cwd: project }),
      ...(await missingPages(address)),
    ]
    server.kill('SIGTERM')
    const [code] = await ended
    return code === 0 ? faults : [...faults, `the server ended with ${code}`]
  } finally {
    server.kill('SIGKILL')
  }
}

/** The failures of programs like those of a user, on one version of Node.js. */
export const trials = async (project, node) => [
  ...compile(project),
  ...run('embed', node, ['embed.js'], { cwd: project }),
  ...run('embed from CommonJS', node, ['embed-commonjs.cjs'], { cwd: project }),
  ...(await serveAndImport(project, node, 'node_modules/@account-import/server/bin/account-import.js')),
  // npm links the program of the package that is first by its name.
  ...run('the program beside the server', node, ['node_modules/.bin/account-import', 'serve', '--help'], {
    cwd: project,
  }),
]

const mostToolMegabytes = 40

/** The faults of the command line that is installed alone. */
export const triesOfTool = (project) => {
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  writeFileSync(join(project, 'accounts.json'), `[${readFileSync(account, 'utf8')}]`)
  const program = (...args) => run(args.join(' '), 'npx', ['account-import', ...args], { cwd: project })
  return [
    ...(bytes > mostToolMegabytes * 1e6 ? [`${Math.round(bytes / 1e6)} MB are installed`] : []),
    ...['inversify', 'knex', 'koa', 'libsql', 'minio', 'mysql2', 'pg', 'pino']
      .filter((name) => existsSync(join(project, 'node_modules', name)))
      .map((name) => `node_modules has ${name}`),
    ...program('explain', 'required'),
    ...program('validate', 'accounts.json'),
    ...(program('serve').length === 0 ? ['serve is a command of the tool'] : []),
  ]
}

const program = 'packages/server/bin/account-import.js'

/** Failures of the archive on a host: unpacked by the commands of the page, with this folder in place of /opt. */
export const triesOfArchive = async (release, folder, project, node) => {
  const host = join(folder, 'opt')
  mkdirSync(host, { recursive: true })
  const here = (commands) =>
    commands.replaceAll('/opt', host).replaceAll('linux-x64', `${process.platform}-${process.arch}`)
  runBlock('docs/how-to/deploy.md', 'unpack', release, here)
  const unpacked = join(host, 'account-import')
  const needless = ['typescript', 'ava', '.bin/tsc'].filter((name) =>
    existsSync(join(unpacked, 'node_modules', name)),
  )
  return [
    ...needless.map((name) => `the archive has node_modules/${name}`),
    ...(existsSync(join(unpacked, 'account-import.service')) ? [] : ['the archive has no unit of systemd']),
    ...(await serveAndImport(project, node, join(unpacked, program))),
  ]
}

/** The contracts of all ports: in memory, in SQLite, in MariaDB. */
export const contracts = (node) =>
  run('contracts', node, ['node_modules/ava/entrypoints/cli.mjs', 'test/src/contracts/contracts.test.ts'], {
    cwd: root,
    timeout: 300_000,
  })
